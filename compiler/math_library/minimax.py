#!/usr/bin/env python3
"""Prints the coefficients of this folder's polynomials, whose largest relative error is the smallest there is (Remez).

Usage: minimax.py [<function that uses them> ...]. Takes mpmath, from PyPI."""
import sys

from mpmath import asin, atan, atanh, cos, erfc, exp, log, lu_solve, matrix, mp, mpf, nstr, pi, sin, sqrt, tan, workprec

mp.prec = 300


def remez(function, low, high, degree, weight=lambda x: mpf(1)):
    """Coefficients of p, degree rising, with the smallest largest |weight(x) * (p(x) - function(x))| on [low, high]."""
    count = degree + 2
    points = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / (count - 1)) for i in range(count)]
    for _ in range(12):
        # The weight may be 0 at 0.
        points = [x if abs(x) > (high - low) / 1000 else (high - low) / 100 for x in points]
        system = matrix(count, count)
        values = matrix(count, 1)
        for row, x in enumerate(points):
            for power in range(degree + 1):
                system[row, power] = x**power
            system[row, degree + 1] = (-1)**row / weight(x)
            values[row] = function(x)
        solution = lu_solve(system, values)
        coefficients = [solution[i] for i in range(degree + 1)]
        error = lambda x: weight(x) * (sum(c * x**i for i, c in enumerate(coefficients)) - function(x))
        points = extrema(error, low, high, points)
    return coefficients, max(abs(error(x)) for x in points)


def extrema(error, low, high, points):
    """Moves each point uphill between its neighbours."""
    edges = [low] + [(a + b) / 2 for a, b in zip(points, points[1:])] + [high]
    result = []
    for point, left, right in zip(points, edges, edges[1:]):
        sign = 1 if error(point) > 0 else -1
        for _ in range(40):
            a, b = left + (right - left) * mpf('0.382'), left + (right - left) * mpf('0.618')
            if sign * error(a) < sign * error(b):
                left = a
            else:
                right = b
        result.append((left + right) / 2)
    if abs(error(low)) > abs(error(result[0])): result[0] = low
    if abs(error(high)) > abs(error(result[-1])): result[-1] = high
    return result


def tail(function, terms):
    """function(x) less its first Taylor terms, over x^len(terms); near 0 by more digits."""
    def value(x):
        if x == 0: x = mpf(2)**-60
        with workprec(600):
            return (function(x) - sum(mpf(t) * x**i for i, t in enumerate(terms))) / x**len(terms)
    return value


def odd_tail(function):
    """(function(x) - x) / x^3 for z = x^2; function is odd and begins with x."""
    def value(z):
        with workprec(600):
            z = z or mpf(2)**-80
            x = sqrt(z)
            return (function(x) - x) / (x * z)
    return value


def show(name, coefficients_error):
    coefficients, error = coefficients_error
    print(f'{name}: 2^{nstr(log(error, 2), 4)}')
    print('  {' + ', '.join(float(c).hex() for c in coefficients) + '},')


half = log(2) / 2 * mpf('1.0001')

def decay(a):
    """erfc(a) = exp(-a decay(a))."""
    return 2 / sqrt(pi) if a == 0 else -log(erfc(a)) / a


def scaled_erfc(t):
    """(1 + 2 a) exp(a^2) erfc(a) for t = (a - 4) / (a + 4)."""
    a = 4 * (1 + t) / (1 - t)
    return (1 + 2 * a) * exp(a * a) * erfc(a)


def log_pair(z):
    """(3 (atanh(s) - s) / s^3 - 1) / z for z = s^2."""
    with workprec(700):
        z = z or mpf(2)**-80
        s = sqrt(z)
        return (3 * (atanh(s) - s) / s**3 - 1) / z


slack = mpf('1.0001')
log_squares = (3 - 2 * sqrt(mpf(2)))**2 * slack
TABLE = {
    'expm1Near0': lambda: remez(tail(exp, [1, 1]), -half, half, 5, lambda x: x),
    'expNear0': lambda: remez(tail(exp, [1, 1]), -half, half, 9, lambda x: x * x),
    'log1pForFloat': lambda: remez(tail(lambda f: log(1 + f), [0, 1]), sqrt(mpf('.5')) - 1, sqrt(mpf(2)) - 1, 10, lambda f: f),
    'logSeries': lambda: remez(odd_tail(atanh), mpf(0), log_squares, 6, lambda z: z),
    'log2Pair': lambda: remez(log_pair, mpf(0), log_squares, 7, lambda z: z * z / 3),
    'sinOfRemainder': lambda: remez(odd_tail(sin), mpf(0), (pi / 2)**2 * slack, 4, lambda z: z),
    'sinNear0': lambda: remez(odd_tail(sin), mpf(0), (pi / 4)**2 * slack, 5, lambda z: z),
    'cosNear0': lambda: remez(tail(lambda z: cos(sqrt(z)), [1, mpf(-1) / 2]), mpf(0), (pi / 4)**2 * slack, 5, lambda z: z * z),
    'tanf': lambda: remez(odd_tail(tan), mpf(0), (pi / 4)**2 * slack, 6, lambda z: z),
    'atanNear0': lambda: remez(odd_tail(atan), mpf(0), mpf(1), 9, lambda z: z),
    'asinNear0': lambda: remez(odd_tail(asin), mpf(0), mpf('.25'), 5, lambda z: z),
    'erff': lambda: remez(decay, mpf(0), mpf(4), 13, lambda a: a * exp(-a * decay(a)) / (1 - exp(-a * decay(a))) if a else mpf(1)),
    'erfcOfSize': lambda: remez(scaled_erfc, mpf(-1), mpf(10.2 - 4) / mpf(10.2 + 4), 14, lambda t: 1 / scaled_erfc(t)),
}

if __name__ == '__main__':
    for name in sys.argv[1:] or TABLE:
        show(name, TABLE[name]())
