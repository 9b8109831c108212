// Finds the slides of a presentation: their order, and where each is in the stream.
import type { CompoundStorage } from '@harvestman/toolbox/compound-file'

import { damaged, encrypted } from '../refuse.ts'
import { recordAt, recordsIn, types, type PptRecord } from './records.ts'
import { textsIn, type PptText } from './text.ts'

export interface SlideEntry {
  readonly persistId: number
  /** Texts of its placeholders. */
  readonly texts: readonly PptText[]
}

export interface Presentation {
  readonly slides: readonly SlideEntry[]
  /** Notes by the id that their slide refers to. */
  readonly notes: ReadonlyMap<number, SlideEntry>
  record(persistId: number): PptRecord | undefined
}

const encryptedMark = 0xf3d1c4df
const maxEdits = 1_000
const slideList = 0
const notesList = 2

/** Opens a presentation. Throws `unsupported_file` if it is damaged or encrypted. */
export function openPresentation(root: CompoundStorage): Presentation {
  const stream = root.stream('PowerPoint Document')
  const user = root.stream('Current User')
  if (!stream || !user || user.length < 20) throw damaged('it contains no presentation')
  if (user.readUInt32LE(12) === encryptedMark) throw encrypted()
  const { offsets, documentId } = readEdits(stream, user.readUInt32LE(16))
  const record = (persistId: number): PptRecord | undefined => {
    const offset = offsets.get(persistId)
    return offset === undefined || offset + 8 > stream.length ? undefined : recordAt(stream, offset)
  }
  const document = record(documentId)
  if (document?.type !== types.document) throw damaged('it contains no presentation')
  const lists = [...recordsIn(document.data)].filter(({ type }) => type === types.slideList)
  const entriesOf = (instance: number) => lists.filter((list) => list.instance === instance).flatMap(readList)
  return {
    slides: entriesOf(slideList),
    notes: new Map(entriesOf(notesList).map((entry) => [entry.id, entry])),
    record,
  }
}

interface Edits {
  readonly offsets: ReadonlyMap<number, number>
  readonly documentId: number
}

/** Reads the offsets of all records. Each save of the file adds a list; the last one comes first. */
function readEdits(stream: Buffer, last: number): Edits {
  const offsets = new Map<number, number>()
  let documentId: number | undefined
  const seen = new Set<number>()
  for (let at = last; at !== 0 && !seen.has(at) && seen.size < maxEdits;) {
    seen.add(at)
    const edit = recordAt(stream, at)
    if (edit.type !== types.userEdit) throw damaged('its list of changes is incomplete')
    documentId ??= edit.data.readUInt32LE(16)
    addOffsets(recordAt(stream, edit.data.readUInt32LE(12)), offsets)
    at = edit.data.readUInt32LE(8)
  }
  return { offsets, documentId: documentId ?? 0 }
}

function addOffsets({ type, data }: PptRecord, offsets: Map<number, number>): void {
  if (type !== types.persistDirectory) throw damaged('its list of slides is incomplete')
  let at = 0
  while (at + 4 <= data.length) {
    const head = data.readUInt32LE(at)
    const first = head & 0xfffff
    const count = head >>> 20
    for (let index = 0; index < count && at + 8 + index * 4 <= data.length; index += 1) {
      if (!offsets.has(first + index)) offsets.set(first + index, data.readUInt32LE(at + 4 + index * 4))
    }
    at += 4 + count * 4
  }
}

function readList({ data }: PptRecord): (SlideEntry & { readonly id: number })[] {
  const entries: { id: number; persistId: number; records: PptRecord[] }[] = []
  for (const record of recordsIn(data)) {
    if (record.type === types.slidePersist)
      entries.push({ id: record.data.readUInt32LE(12), persistId: record.data.readUInt32LE(0), records: [] })
    else entries[entries.length - 1]?.records.push(record)
  }
  return entries.map(({ id, persistId, records }) => ({ id, persistId, texts: textsIn(records) }))
}
