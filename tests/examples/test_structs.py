"""The examples with dataclasses: a simulation over several modules, and a Bayesian model."""

from __future__ import annotations

import numpy as np
import particles_fit
import pytest
import schools_grad
import schools_hmc
from molecules import simulation, simulation_grad
from molecules.particles import Particles
from mooncake_runtime.testing import check_gradients

import schools


def test_gradient_through_the_simulation():
    nine = particles_fit.particles()
    few = Particles(nine.position[:4], nine.velocity[:4], nine.force[:4])
    args = (few, particles_fit.START, np.array([1.9, 2.3, 2.1]), 0.01, 4)
    check_gradients(simulation.misfit, simulation_grad, args, wrt=["potential"])


def test_energy_is_conserved():
    from molecules.forces import update_forces

    moving, potential = particles_fit.particles(), particles_fit.TRUE
    start = update_forces(moving, potential) + moving.kinetic_energy()
    simulation.spread_over_time(moving, potential, 0.002, 50, 4)
    assert moving.time == pytest.approx(0.4)
    end = update_forces(moving, potential) + moving.kinetic_energy()
    assert end == pytest.approx(start, abs=2e-4)


def test_the_potential_is_found():
    result = particles_fit.fit()
    assert result.misfits[1] < 1e-9 < 1.0 < result.misfits[0]
    assert result.found.depth == pytest.approx(particles_fit.TRUE.depth, abs=1e-4)
    assert result.found.radius == pytest.approx(particles_fit.TRUE.radius, abs=1e-4)


def test_gradient_of_the_log_density():
    rng = np.random.default_rng(3)
    parameters = schools.Parameters(3.0, 0.7, rng.normal(size=8))
    args = (parameters, schools_hmc.STUDY)
    check_gradients(schools.log_density, schools_grad, args, wrt=["parameters"])


def test_sampler_finds_a_normal_distribution():
    def density(x):
        return -0.5 * float(np.sum((x - 2.0) ** 2 / 0.25)), -(x - 2.0) / 0.25

    rng = np.random.default_rng(5)
    chain = schools_hmc.hmc(density, np.zeros(2), 1500, 0.15, 5, rng)
    drawn = np.array([position for position, _ in chain])[100:]
    np.testing.assert_allclose(drawn.mean(axis=0), 2.0, atol=0.06)
    np.testing.assert_allclose(drawn.std(axis=0), 0.5, atol=0.05)


def test_posterior_of_the_eight_schools():
    """Means and deviations as published for these priors (4.4, 3.3 and 3.6, 3.2), within the error
    of so short a chain."""
    chain, rate = schools_hmc.sample(1000)
    assert rate > 0.8
    means = np.array([p.mean for p in chain])
    scales = np.array([p.scale for p in chain])
    np.testing.assert_allclose([means.mean(), means.std()], [4.4, 3.3], atol=0.8)
    np.testing.assert_allclose([scales.mean(), scales.std()], [3.6, 3.2], atol=0.9)
