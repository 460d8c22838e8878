"""Composition of derivatives: modes as letters, derivatives as words.

A mode is a letter, ``reverse`` or ``forward``; it maps a function to functions of the same normal
form, so letters can be put together to words, the last of which is applied first:

    reverse f          = f_grad, or f_vjp with the cotangent as a parameter
    forward f          = f_jvp, with the tangents as parameters
    forward-over-w f   = forward (w f),   reverse-over-w f = reverse (w f)
    hvp f              = forward (reverse f), along directions of the parameters of f alone
    hessian f          = forward (reverse f), along all unit vectors
    jacobian f         = forward f, along all unit vectors; or reverse f, for all unit cotangents
    gradient f         = forward f, along all unit vectors, where these are few and f is a loop

What is left of a word, its first letter, is emitted with the signature that users see.
"""
