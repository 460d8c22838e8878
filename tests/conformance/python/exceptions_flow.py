"""Exceptions: which handler, else and finally, re-raising, attributes, nesting."""

from __future__ import annotations

import math
import sys


class AppError(Exception):
    pass


class Limit(AppError):
    def __init__(self, amount, message="limit"):
        super().__init__(message)
        self.amount = amount


class Coded(ValueError):
    code = 7

    def __init__(self, text, code=None):
        super().__init__(text)
        if code is not None:
            self.code = code

    def scaled(self, x):
        return self.code * x


class Plain(Exception):
    """Only a name."""


def caught(x: float, y: float) -> float:
    try:
        raise ValueError("no")
    except ValueError:
        return x * y


def first_handler_that_fits(x: float, y: float) -> float:
    try:
        raise KeyError("no")
    except IndexError:
        return x
    except LookupError:
        return x * y
    except KeyError:
        return y


def handler_order_base_first(x: float, y: float) -> float:
    try:
        raise Limit(x)
    except AppError:
        return x * y
    except Exception:
        return y


def tuple_of_classes(x: float, y: float) -> float:
    try:
        raise IndexError("no")
    except (KeyError, IndexError):
        return x * y


def bare_except(x: float, y: float) -> float:
    try:
        raise Plain
    except:
        return x * y


def class_without_call(x: float, y: float) -> float:
    try:
        raise Plain
    except Plain:
        return x * y


def else_runs(x: float, y: float) -> float:
    total = x
    try:
        total += y
    except ValueError:
        total = 0.0
    else:
        total *= 2
    return total


def else_does_not_run(x: float, y: float) -> float:
    total = x
    try:
        raise ValueError("no")
    except ValueError:
        total += y * y
    else:
        total *= 100
    return total


def else_is_not_protected(x: float, y: float) -> float:
    try:
        try:
            total = x
        except ValueError:
            return 100.0
        else:
            raise ValueError("else")
    except ValueError:
        return total * y


def finally_runs(x: float, y: float) -> float:
    total = x
    try:
        total += 1.0
    finally:
        total *= y
    return total


def finally_after_handler(x: float, y: float) -> float:
    total = x
    try:
        raise ValueError("no")
    except ValueError:
        total += y
    finally:
        total *= 3
    return total


def finally_after_return_value(x: float, y: float) -> float:
    xs = [x]
    try:
        return xs[0] * y
    finally:
        xs[0] = 100.0


def finally_changes_what_is_returned_by_reference(x: float, y: float) -> float:
    def f(xs):
        try:
            return xs
        finally:
            xs[0] = xs[0] * 3

    return f([x, y])[0] * y


def finally_order(x: float, y: float) -> float:
    total = x
    try:
        try:
            total = total * 2 + 1
            raise KeyError("a")
        finally:
            total = total * 3 + 1
    except KeyError:
        total = total * 5 + y
    return total


def reraise(x: float, y: float) -> float:
    total = x
    try:
        try:
            raise ValueError("a")
        except ValueError:
            total *= 2
            raise
    except ValueError:
        total += y
    return total


def reraise_named(x: float, y: float) -> float:
    try:
        try:
            raise Limit(x * y)
        except Limit as e:
            raise e
    except Limit as e:
        return e.amount * x


def raise_another(x: float, y: float) -> float:
    try:
        try:
            raise ValueError("a")
        except ValueError as e:
            raise KeyError("b") from e
    except KeyError:
        return x * y
    except ValueError:
        return x


def raise_from_none(x: float, y: float) -> float:
    try:
        try:
            raise ValueError("a")
        except ValueError:
            raise KeyError("b") from None
    except KeyError:
        return x * y


def handler_does_not_catch_itself(x: float, y: float) -> float:
    try:
        try:
            raise ValueError("a")
        except ValueError:
            raise ValueError("b")
        except Exception:
            return x
    except ValueError:
        return x * y


def attribute_of_exception(x: float, y: float) -> float:
    try:
        raise Limit(x * y)
    except Limit as e:
        return e.amount * y


def keyword_of_exception(x: float, y: float) -> float:
    try:
        raise Limit(amount=x * y, message="m")
    except AppError as e:
        return e.amount * 2


def args_of_exception(x: float, y: float) -> float:
    try:
        raise ValueError("no", x * y)
    except ValueError as e:
        return e.args[1] * len(e.args)


def args_after_super(x: float, y: float) -> float:
    try:
        raise Limit(x, "text")
    except Limit as e:
        return x * y if e.args[0] == "text" and len(e.args) == 1 else y


def text_of_exception(x: float, y: float) -> float:
    try:
        raise ValueError("no")
    except ValueError as e:
        return x * y if str(e) == "no" else x


def text_after_super(x: float, y: float) -> float:
    try:
        raise Limit(x)
    except Limit as e:
        return x * y if str(e) == "limit" else x


def text_of_key_error(x: float, y: float) -> float:
    try:
        raise KeyError("no")
    except KeyError as e:
        return x * y if str(e) == "no" else x


# refused: MK112
def text_of_two_args(x: float, y: float) -> float:
    try:
        raise ValueError("a", "b")
    except ValueError as e:
        return x * y if str(e) == "('a', 'b')" else x


# refused: MK112
def text_of_number(x: float, y: float) -> float:
    try:
        raise ValueError(3)
    except ValueError as e:
        return x * y if str(e) == "3" else x


def class_attribute_of_exception(x: float, y: float) -> float:
    try:
        raise Coded("a")
    except Coded as e:
        return e.code * x * y


def instance_attribute_of_exception(x: float, y: float) -> float:
    try:
        raise Coded("a", 3)
    except Coded as e:
        return e.scaled(x) * y


def exception_by_condition(x: float, y: float) -> float:
    try:
        if x > 0.5:
            raise KeyError("a")
        if y > 10:
            raise ValueError("b")
        total = x
    except KeyError:
        total = x * y
    except ValueError:
        total = y
    return total


def exception_in_function(x: float, y: float) -> float:
    def check(a):
        if a > 0.5:
            raise Limit(a)
        return a * 3

    try:
        return check(x) + check(y)
    except Limit as e:
        return e.amount * y


def exception_in_loop(x: float, y: float) -> float:
    total = 0.0
    for k in range(4):
        try:
            if k == 2:
                raise ValueError("k")
            total += x * k
        except ValueError:
            total *= y
            continue
        total += 1.0
    return total


def break_through_finally(x: float, y: float) -> float:
    total = 0.0
    for k in range(4):
        try:
            if k == 2:
                break
            total += x
        finally:
            total += y
    return total


def continue_through_finally(x: float, y: float) -> float:
    total = 0.0
    for k in range(4):
        try:
            if k == 2:
                continue
            total += x
        finally:
            total = total * 2 + y
    return total


def return_through_two_finallys(x: float, y: float) -> float:
    log = [x]

    def f():
        try:
            try:
                return log[0]
            finally:
                log[0] = log[0] * 2 + 1
        finally:
            log[0] = log[0] * 3

    return f() + log[0] * y


def return_in_else(x: float, y: float) -> float:
    try:
        a = x * y
    except ValueError:
        return 0.0
    else:
        return a * 2
    finally:
        a = 0.0


def nested_try_in_handler(x: float, y: float) -> float:
    try:
        raise KeyError("a")
    except KeyError:
        try:
            raise IndexError("b")
        except IndexError:
            return x * y


def assertion(x: float, y: float) -> float:
    try:
        assert x > 100.0, "small"
    except AssertionError:
        return x * y
    return x


def assertion_holds(x: float, y: float) -> float:
    try:
        assert x > -100.0, "small"
        return x * y
    except AssertionError:
        return x


def zero_division(x: float, y: float) -> float:
    try:
        return x / (y - y)
    except ZeroDivisionError:
        return x * y


def zero_division_of_int(x: float, n: int) -> float:
    try:
        return x * (7 // (n - 3))
    except ZeroDivisionError:
        return x * x


def modulo_by_zero(x: float, n: int) -> float:
    try:
        return x * (7 % (n - 3))
    except ZeroDivisionError:
        return x * x


def index_error(x: float, y: float) -> float:
    xs = [x, y]
    try:
        return xs[5]
    except IndexError:
        return x * y


def key_error(x: float, y: float) -> float:
    d = {"a": x}
    try:
        return d["b"]
    except KeyError:
        return x * y


# refused: MK305
def attribute_error(x: float, y: float) -> float:
    try:
        return Plain().missing
    except AttributeError:
        return x * y


def math_domain(x: float, y: float) -> float:
    try:
        return math.sqrt(-x)
    except ValueError:
        return x * y


def math_log_of_zero(x: float, y: float) -> float:
    try:
        return math.log(x - x)
    except ValueError:
        return x * y


def unpacking_error(x: float, y: float) -> float:
    xs = (x, y)
    try:
        a, b, c = xs
        return a
    except ValueError:
        return x * y


def state_after_failure(x: float, y: float) -> float:
    xs = [x, y]
    try:
        xs[0] = x * 2
        raise ValueError("a")
        xs[1] = 100.0
    except ValueError:
        pass
    return xs[0] * xs[1]


def partial_update_in_loop(x: float, y: float) -> float:
    total = x
    try:
        for k in range(5):
            total *= 1.5
            if k == 2:
                raise StopIteration
    except StopIteration:
        total += y
    return total


def name_unbound_after_handler(x: float, y: float) -> float:
    e = x
    try:
        raise ValueError("a")
    except ValueError as error:
        e = e * y
    return e


def exception_kept_in_variable(x: float, y: float) -> float:
    kept = None
    try:
        raise Limit(x)
    except Limit as e:
        kept = e
    return kept.amount * y


def exception_made_not_raised(x: float, y: float) -> float:
    e = Limit(x * y)
    return e.amount * y


# refused: MK350
def exception_raised_later(x: float, y: float) -> float:
    e = Limit(x)
    e.amount = x * y
    try:
        raise e
    except Limit as caught:
        return caught.amount * 3


def while_with_try(x: float, y: float) -> float:
    n = 0
    total = x
    while True:
        try:
            n += 1
            if n > 3:
                raise StopIteration
            total *= y
        except StopIteration:
            break
    return total


def suppress(x: float, y: float) -> float:
    from_here = x
    try:
        from_here *= 2
        raise Plain
    except Plain:
        pass
    return from_here * y


def not_caught_by_sibling(x: float, y: float) -> float:
    try:
        try:
            raise KeyError("a")
        except IndexError:
            return x
    except KeyError:
        return x * y


def arithmetic_error_catches_zero_division(x: float, n: int) -> float:
    try:
        return x / (n - 3)
    except ArithmeticError:
        return x * x


def exception_group_of_os_errors(x: float, y: float) -> float:
    try:
        raise FileNotFoundError("a")
    except OSError:
        return x * y


def io_error_is_os_error(x: float, y: float) -> float:
    try:
        raise IOError("a")
    except OSError:
        return x * y


def not_implemented(x: float, y: float) -> float:
    try:
        raise NotImplementedError
    except RuntimeError:
        return x * y


def bool_of_exception(x: float, y: float) -> float:
    try:
        raise Plain
    except Plain as e:
        return x * y if e else x


def exits(x: float, y: float) -> float:
    try:
        if x > -1e9:
            sys.exit("no")
    except SystemExit:
        return x * y
    return x + y
