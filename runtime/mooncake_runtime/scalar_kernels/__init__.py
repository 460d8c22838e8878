"""Scalar functions that numba lacks, and derivatives that need care; ``rt`` in the rules.

All are plain Python that numba compiles, made of branches, polynomials and short loops; they
compute in double precision whatever they are given. A topic is imported when one of its functions
is asked for: to decorate a function takes numba a millisecond.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from mooncake_runtime.scalar_kernels.sums import radd as radd  # numba must know it beforehand

if TYPE_CHECKING:
    from mooncake_runtime.scalar_kernels.basic import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.bessel import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.betas import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.confluent import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.dilogarithm import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.elliptic import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.entropy import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.errors import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.exponential_integrals import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.gamma import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.gauss import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.incomplete import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.lambert import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.logistic import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.modified import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.modified_orders import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.over_complex import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.owens import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.pochhammer import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.powers import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.real_orders import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.spherical import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.text_hashes import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.voigt import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.waves import *  # noqa: F403
    from mooncake_runtime.scalar_kernels.whole import *  # noqa: F403

_NAMES = {
    "basic": "clip dsinc frexp_exponent frexp_mantissa frexp_scale heaviside hypot3 isclose"
    " log_base modf_fraction over remainder ruled sech2 stop_gradient times ulp",
    "bessel": "j0 j1 jn y0 y1 yn",
    "betas": "beta beta_density betainc betaincc betaln",
    "confluent": "hyp0f1 hyp1f1 kummer",
    "dilogarithm": "log_quotient spence",
    "elliptic": "ellipe ellipk ellipkm1 first_elliptic second_elliptic",
    "entropy": "entr huber kl_div log_ratio pseudo_huber rel_entr xlog1py xlogy",
    "errors": "erfcinv erfcx erfcx_integral erfinv inverse_mills log_ndtr ndtr ndtri shifted_mills",
    "exponential_integrals": "dawsn dawsn_derivative exp1 exp_integral expi expn",
    "gamma": "digamma digamma_increment gammasgn hurwitz loggamma multigamma_sum multigammaln"
    " polygamma rgamma rgamma_curvature rgamma_slope trigamma",
    "gauss": "hyp2f1",
    "incomplete": "gamma_density gammainc gammainc_slope gammaincc",
    "lambert": "lambertw lambertw_below",
    "logistic": "exp10 expit exprel exprel_derivative log_expit logit softplus",
    "modified": "i0 i0e i1 i1e iv ive k0 k0e k1 k1e kn kve",
    "modified_orders": "bessel_i bessel_ie bessel_k bessel_ke slope_ie slope_ke",
    "over_complex": "complex_sec2 complex_sech2 whole_power",
    "owens": "owens_t",
    "pochhammer": "poch poch_mixed poch_slope",
    "powers": "boxcox boxcox1p inv_boxcox inv_boxcox1p power_mean",
    "real_orders": "bessel_j bessel_y",
    "spherical": "spherical_i spherical_j spherical_k spherical_y",
    "text_hashes": "text_before text_with text_with_integer",
    "text_methods": "text_contains text_count text_endswith text_find text_isdigit text_length"
    " text_letter text_lower text_part text_parts text_removeprefix text_removesuffix text_replace"
    " text_slice text_startswith text_strip text_upper",
    "voigt": "voigt_imag voigt_profile voigt_real",
    "waves": "cosh_integral cosine_integral fresnel_cosine fresnel_sine sine_integral"
    " sine_quotient sinh_integral sinh_quotient square_sine",
    "whole": "comb factorial finite fitting integer_fmod integer_power isqrt left_shift perm"
    " right_shift round_to shift_left shift_right",
}
_TOPICS = {name: topic for topic, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    topic = _TOPICS.get(name)
    if topic is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    kernel: object = getattr(import_module(f"{__name__}.{topic}"), name)
    globals()[name] = kernel
    return kernel


def __dir__() -> list[str]:
    return sorted(_TOPICS)
