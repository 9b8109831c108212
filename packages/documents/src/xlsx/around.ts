// Reads merged cells and links, which follow the rows of a sheet.
import type { Relation } from '../relations.ts'
import type { SheetCell, SheetView } from '../sheet-table.ts'
import { unescapeXml } from '../xml/entities.ts'
import { attributesOfTags } from '../xml/tags.ts'

type Range = SheetView['merges'][number]

/**
 * Returns the ranges of merged cells in a sheet's XML, with row and column indexes from 0; empty if there are none. Invalid
 * ranges are skipped.
 */
export function mergesIn(xml: string): readonly Range[] {
  return attributesOfTags(xml, '(?:\\w+:)?mergeCell').flatMap((tag) => rangeOf(valueIn(tag, 'ref')) ?? [])
}

// Limit for cells with links, because a link may cover a whole column.
const maxLinked = 100_000

/** Adds links to existing cells, at most 100,000. Links without a valid range or target are skipped. */
export function addLinks(rows: (SheetCell[] | undefined)[], xml: string, relations: readonly Relation[]): void {
  const targets = new Map(relations.map(({ id, target }) => [id, target]))
  let left = maxLinked
  for (const tag of attributesOfTags(xml, '(?:\\w+:)?hyperlink')) {
    const range = rangeOf(valueIn(tag, 'ref'))
    const target = targets.get(valueIn(tag, '\\w+:id') ?? '')
    if (!range || target === undefined) continue
    const place = valueIn(tag, 'location')
    const link = { Target: place === undefined ? target : `${target}#${place}` }
    for (let row = range.s.r; row <= range.e.r && row < rows.length; row++) {
      const cells = rows[row] ?? []
      for (let column = range.s.c; column <= range.e.c && column < cells.length; column++) {
        const cell = cells[column]
        if (cell) cells[column] = { ...cell, l: link }
        left -= 1
      }
      if ((left -= 1) < 0) return
    }
  }
}

/** Parses a range such as `B2:D5`, or a single cell. */
function rangeOf(reference: string | undefined): Range | undefined {
  const [, left, top, right = left, bottom = top] =
    /^\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$/.exec(reference ?? '') ?? []
  if (left === undefined || right === undefined) return undefined
  return { s: { r: Number(top) - 1, c: columnOf(left) }, e: { r: Number(bottom) - 1, c: columnOf(right) } }
}

/** Returns the index of a column, from 0. */
function columnOf(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 0x40
  return column - 1
}

function valueIn(tag: string, name: string): string | undefined {
  const [, , value] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(["'])(.*?)\\1`).exec(tag) ?? []
  return value === undefined ? undefined : unescapeXml(value)
}
