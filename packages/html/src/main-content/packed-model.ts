// The storage format of the two models: base64 for the trees (a few hundred kilobytes), plain text for the lexicon.
import { contextNames } from './context.ts'
import { featureNames } from './feature-names.ts'
import { readingOf, type Reading } from './features.ts'
import type { Forest } from './forest.ts'
import { readLexicon } from './lexicon.ts'
import { hashWord } from './text-scan.ts'

export interface Model {
  readonly reading: Reading
  readonly first: Forest
  readonly second: Forest
}

/** Leaf values are stored as integers and divided by this. */
export const leafScale = 8192
/** Marks a leaf, in place of a column. */
export const leafMark = 0xffff

export interface ModelData {
  readonly features: string
  readonly names: string
  readonly words: string
  readonly first: PackedForest
  readonly second: PackedForest
}

/**
 * Returns a checksum of the column names and their order. A model only works with the columns that it was trained on.
 */
export function featureSign(): string {
  const names = [...featureNames, ...contextNames]
  return `${names.length}-${(hashWord(names.join('\n')) >>> 0).toString(16)}`
}

/** Unpacks a model. Throws an `Error` if it was trained on other features than the ones in this code. */
export function readModel(data: ModelData): Model {
  if (data.features !== featureSign()) {
    throw new Error(`The model was trained on features ${data.features}, these are ${featureSign()}. Train it again.`)
  }
  const reading = readingOf(readLexicon(data.names, data.words))
  return { reading, first: unpackForest(data.first), second: unpackForest(data.second) }
}

export interface PackedForest {
  readonly start: number
  readonly trees: number
  /** Base64 of little-endian floats: all thresholds, ordered by column. */
  readonly thresholds: string
  /** Base64. For each node, depth first: column and index of the threshold, or `leafMark` and the value. */
  readonly nodes: string
}

function bytesOf(base64: string): DataView {
  const characters = atob(base64)
  const bytes = new DataView(new ArrayBuffer(characters.length))
  // `Uint8Array.from` with a function takes several times as long, as it creates a string for each byte.
  for (let i = 0; i < characters.length; i++) bytes.setUint8(i, characters.charCodeAt(i))
  return bytes
}

/** Unpacks the decision trees of a model. */
export function unpackForest(packed: PackedForest): Forest {
  const thresholds = bytesOf(packed.thresholds)
  const nodes = bytesOf(packed.nodes)
  const size = nodes.byteLength / 4
  const forest: Forest = {
    start: packed.start,
    roots: new Int32Array(packed.trees),
    columns: new Int16Array(size),
    numbers: new Float32Array(size),
    lefts: new Int32Array(size),
  }
  const cursor = { source: 0, free: 0 }
  for (let t = 0; t < packed.trees; t++) {
    const root = cursor.free++
    forest.roots[t] = root
    readNode(nodes, thresholds, forest, root, cursor)
  }
  return forest
}

interface Cursor {
  source: number
  free: number
}

function readNode(nodes: DataView, thresholds: DataView, forest: Forest, place: number, cursor: Cursor): void {
  const column = nodes.getUint16(cursor.source, true)
  if (column === leafMark) {
    forest.columns[place] = -1
    forest.numbers[place] = nodes.getInt16(cursor.source + 2, true) / leafScale
    cursor.source += 4
    return
  }
  forest.columns[place] = column
  forest.numbers[place] = thresholds.getFloat32(nodes.getUint16(cursor.source + 2, true) * 4, true)
  cursor.source += 4
  const left = cursor.free
  cursor.free += 2
  forest.lefts[place] = left
  readNode(nodes, thresholds, forest, left, cursor)
  readNode(nodes, thresholds, forest, left + 1, cursor)
}
