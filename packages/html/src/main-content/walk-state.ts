import type { Element, Text } from '../tree/tree.ts'
import type { NameReader } from './class-words.ts'
import { nearNames, type Open } from './marks.ts'
import { blockWidth, boxWidth } from './block-table.ts'
import { makeByteTable, makeIntTable, type ByteTable, type IntTable } from './tables.ts'
import { makeScan, type Lookup, type Scan } from './text-scan.ts'

/** The state of a walk over a page, and the tables that it fills. */
export interface Walk extends Open {
  readonly lookup: Lookup
  readonly read: NameReader
  readonly useNoscript: boolean
  readonly table: IntTable
  readonly near: ByteTable
  readonly boxes: IntTable
  readonly elements: Element[]
  readonly texts: Text[]
  readonly dataScripts: Element[]
  readonly unprinted: Element[]
  readonly scan: Scan
  readonly distances: Uint8Array
  readonly frames: number[]
  nameNear: number
  nameLowest: number
  nameHighest: number
  nameSum: number
  open: boolean
  box: number
  anchors: number
  anchorSeen: boolean
  strong: number
  lists: number
  heading: number
  pre: number
  tag: number
  images: number
  at: number
  breaks: number
  noscriptChars: number
}

const nowhere = -100_000

/** Creates the state for dividing a page into blocks. With `useNoscript`, the content of `noscript` is read too. */
export function makeWalk(lookup: Lookup, read: NameReader, useNoscript: boolean): Walk {
  const tables = {
    table: makeIntTable(blockWidth, 256),
    near: makeByteTable(nearNames.length, 256),
    boxes: makeIntTable(boxWidth, 512),
  }
  const lists = { elements: [], texts: [], dataScripts: [], unprinted: [], undo: [], frames: [], scan: makeScan() }
  const nearest = new Int32Array(nearNames.length).fill(nowhere)
  const state = { open: false, depth: 0, box: -1, anchors: 0, anchorSeen: false, strong: 0, lists: 0, heading: 0 }
  const more = { pre: 0, tag: -1, images: 0, at: 0, breaks: 0, noscriptChars: 0 }
  const names = {
    names: { low: 0, high: 0, known: false, score: 0 },
    nameNear: 0,
    nameLowest: 0,
    nameHighest: 0,
    nameSum: 0,
  }
  return {
    lookup,
    read,
    useNoscript,
    ...names,
    ...tables,
    ...lists,
    nearest,
    distances: new Uint8Array(nearNames.length),
    ...state,
    ...more,
  }
}
