from dataclasses import dataclass


@dataclass
class Row:
    period: int
    beginning_balance: float
    payment: float
    principal: float
    interest: float
    ending_balance: float


def tvm_payment(pv: float, rate: float, n: int) -> float:
    if abs(rate) < 1e-12:
        return -pv / n
    factor = (1 + rate) ** n
    return -pv * rate * factor / (factor - 1)


def schedule(
    principal: float, annual_rate: float, years: float, payments_per_year: int = 12
) -> tuple[list[Row], dict[str, float]]:
    periodic_rate = annual_rate / payments_per_year
    total_payments = int(years * payments_per_year)
    if total_payments <= 0:
        raise ValueError("Total payments must be positive")
    pmt = -tvm_payment(principal, periodic_rate, total_payments)
    rows: list[Row] = []
    balance = principal
    total_interest = 0.0
    total_principal = 0.0
    for period in range(1, total_payments + 1):
        interest = balance * periodic_rate
        principal_part = pmt - interest
        ending = max(0.0, balance - principal_part)
        rows.append(Row(period, balance, pmt, principal_part, interest, ending))
        total_interest += interest
        total_principal += principal_part
        balance = ending
    summary = {
        "payment": pmt,
        "total_interest": total_interest,
        "total_principal": total_principal,
        "total_paid": total_interest + total_principal,
    }
    return rows, summary
