// Pictures of a page as blocks, and the names of captions with their tables and figures.
import type { ContentBlock } from '@harvestman/core/plugin'

import { captionName } from '../layout/captions.ts'

/** Left, top, right and bottom edge as fractions of the page. */
export type PageShare = NonNullable<ContentBlock['bbox']>

/** Adds pictures to the blocks of a page, each before the first block below it. A picture under a table belongs to the table. */
export function withFigures(blocks: readonly ContentBlock[], pictures: readonly PageShare[]): readonly ContentBlock[] {
  const tables = blocks.flatMap(({ type, bbox }) => (type === 'table' && bbox ? [bbox] : []))
  const own = pictures.filter((picture) => !tables.some((table) => sharedArea(table, picture) > areaOf(picture) / 2))
  const all = [...blocks]
  for (const bbox of own) {
    const at = all.findIndex(({ bbox: other }) => other && other[1] >= bbox[1] && isBeside(other, bbox))
    all.splice(at < 0 ? all.length : at, 0, { type: 'figure', content: '', bbox })
  }
  return all
}

/** Maximum distance between a figure and its caption, as a part of the height of the page. */
const nearest = 0.08
const figure = /^(?:fig|abb|рис|図|图)/iu

/** Names captions, and the tables and figures above or below them. */
export function withLabels(blocks: readonly ContentBlock[]): ContentBlock[] {
  const labels = new Map<number, string>()
  const figures = blocks.flatMap(({ type, bbox }, at) => (type === 'figure' && bbox ? [{ at, bbox }] : []))
  for (const [at, { type, content, bbox }] of blocks.entries()) {
    const name = type === 'caption' ? captionName(content) : undefined
    if (name === undefined) continue
    labels.set(at, name)
    const named = figure.test(name) ? figureAt(figures, bbox, labels) : tableAt(blocks, at, labels)
    if (named !== undefined) labels.set(named, name)
  }
  return blocks.map((block, at) => ({ ...block, ...(labels.has(at) && { label: labels.get(at) }) }))
}

type Labels = ReadonlyMap<number, string>

/** A caption after a table that has one already is that of the next table. */
function tableAt(blocks: readonly ContentBlock[], caption: number, labels: Labels): number | undefined {
  return [caption - 1, caption + 1].find((near) => blocks[near]?.type === 'table' && !labels.has(near))
}

interface PlacedFigure {
  /** Index in the blocks of the page. */
  readonly at: number
  readonly bbox: PageShare
}

/** Returns the index of the nearest figure without a name above or below a caption. */
function figureAt(figures: readonly PlacedFigure[], caption: ContentBlock['bbox'], labels: Labels): number | undefined {
  if (!caption) return undefined
  const distances = figures.flatMap(({ at, bbox }) => {
    if (labels.has(at) || !isBeside(bbox, caption)) return []
    const distance = Math.abs(Math.max(caption[1] - bbox[3], bbox[1] - caption[3]))
    return distance < nearest ? [{ at, distance }] : []
  })
  return distances.toSorted((a, b) => a.distance - b.distance)[0]?.at
}

/** Returns whether two boxes have a part of the width of the page in common. */
function isBeside(a: PageShare, b: PageShare): boolean {
  return a[0] < b[2] && b[0] < a[2]
}

function areaOf([left, top, right, bottom]: PageShare): number {
  return (right - left) * (bottom - top)
}

function sharedArea(a: PageShare, b: PageShare): number {
  const [width, height] = [Math.min(a[2], b[2]) - Math.max(a[0], b[0]), Math.min(a[3], b[3]) - Math.max(a[1], b[1])]
  return Math.max(0, width) * Math.max(0, height)
}
