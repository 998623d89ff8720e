"""Run by ParaView's own Python: prints what it reads of a series as JSON and draws an isosurface.

pvpython draw_with_paraview.py SERIES FIELD VALUE PICTURE
"""

import json
import sys

from paraview import servermanager, simple
from vtk import vtkDataObject, vtkDataSet
from vtk.util.numpy_support import vtk_to_numpy


def leaf(data: vtkDataObject) -> vtkDataSet:
    """The one grid in a tree of blocks."""
    while data.IsA("vtkMultiBlockDataSet"):
        data = data.GetBlock(0)
    return data


def main(series: str, field: str, value: str, picture: str) -> None:
    reader = simple.XDMFReader(FileNames=[series]) if series.endswith(".xmf") else simple.OpenDataFile(series)
    times = list(reader.TimestepValues)
    view = simple.CreateRenderView(ViewSize=[480, 720])
    view.ViewTime = times[-1]
    simple.UpdatePipeline(time=times[-1], proxy=reader)
    grid = leaf(servermanager.Fetch(reader))
    array = grid.GetCellData().GetArray(field)
    bounds = grid.GetBounds()
    print(
        json.dumps(
            {
                "times": times,
                "cells": [n - 1 for n in grid.GetDimensions()],
                "bounds": list(bounds),
                "values": vtk_to_numpy(array).ravel().tolist(),
            }
        )
    )
    draw(reader, field, float(value), view, bounds)
    simple.SaveScreenshot(picture, view)


def draw(
    reader: servermanager.Proxy,
    field: str,
    value: float,
    view: servermanager.Proxy,
    bounds: tuple[float, ...],
) -> None:
    points = simple.CellDatatoPointData(Input=reader)
    surface = simple.Contour(Input=points, ContourBy=["POINTS", field], Isosurfaces=[value])
    shown = simple.Show(surface, view)
    shown.ColorArrayName = [None, ""]
    shown.DiffuseColor = [0.85, 0.35, 0.2]
    shown.Specular = 0.3
    simple.Show(simple.Outline(Input=reader), view).DiffuseColor = [0.3, 0.3, 0.3]
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.OrientationAxesVisibility = 0
    centre = [(bounds[2 * axis] + bounds[2 * axis + 1]) / 2 for axis in range(3)]
    height = bounds[5] - bounds[4]
    view.CameraFocalPoint = centre
    view.CameraPosition = [centre[0] + 1.1 * height, centre[1] - 2.1 * height, centre[2] + 0.6 * height]
    view.CameraViewUp = [0, 0, 1]


main(*sys.argv[1:])
