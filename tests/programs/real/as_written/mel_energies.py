from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


def framed(waveforms: np.ndarray, frame_length: int = 400, hop_length: int = 160) -> np.ndarray:
    num_frames = 1 + max(0, (waveforms.shape[1] - frame_length) // hop_length)
    frames = np.zeros((waveforms.shape[0], num_frames, frame_length), dtype=np.float64)
    for frame in range(num_frames):
        start = frame * hop_length
        stop = start + frame_length
        frames[:, frame, :] = waveforms[:, start:stop]
    return frames


def hann(frame_length: int) -> np.ndarray:
    return np.hanning(frame_length).astype(np.float64)


def power_spectrum(frames: np.ndarray) -> np.ndarray:
    windowed = frames * hann(frames.shape[-1])[None, None, :]
    spectrum = np.fft.rfft(windowed, axis=2)
    return np.abs(spectrum) ** 2


def filterbank(num_bins: int, num_filters: int) -> np.ndarray:
    centers = np.linspace(0, num_bins - 1, num_filters + 2)
    filters = np.zeros((num_filters, num_bins), dtype=np.float64)
    for filt in range(num_filters):
        left, center, right = centers[filt : filt + 3]
        for index in range(num_bins):
            if left <= index <= center:
                filters[filt, index] = (index - left) / max(center - left, 1e-12)
            elif center < index <= right:
                filters[filt, index] = (right - index) / max(right - center, 1e-12)
    return filters


def energies(waveforms: Mat, frame_length: int, hop_length: int, num_filters: int) -> float:
    power = power_spectrum(framed(waveforms, frame_length, hop_length))
    bank = filterbank(power.shape[-1], num_filters)
    return float(np.sum(np.log(power @ bank.T + 1e-6)))
