import { open, type FileHandle } from 'node:fs/promises'

import { EngineError } from '@harvestman/ports'
import { nextTurn } from '@harvestman/toolbox/next-turn'

import { bufferOf, endOfHead, maxHeadBytes, readFields, type WarcRecord } from './fields.ts'
import { unpackMember, unpackMemberLater } from './members.ts'

/** A record with its position in the file. */
export interface PlacedRecord extends WarcRecord {
  readonly offset: number
  readonly length: number
  /** Bytes of the head of the record. */
  readonly headBytes: number
}

/** Maximum size of a record, including its head, in bytes. */
const maxRecordBytes = 256_000_000
const firstRead = 65_536

/**
 * Reads a WARC file, compressed or not, record by record. Skips an incomplete last record. Throws `not_found` if the file cannot
 * be opened, `invalid_request` if it is damaged. Ending the loop closes the file.
 */
export async function* readWarc(path: string): AsyncGenerator<PlacedRecord> {
  const file = await openToRead(path)
  try {
    const { size } = await file.stat()
    yield* recordsIn(sourceOf(file), size, path)
  } finally {
    await file.close()
  }
}

/** A WARC file in memory. It has the same errors as a file. */
export interface WarcBytes {
  /** Reads all records. Pauses after each one, so that a long file does not block other work. */
  records(): AsyncGenerator<PlacedRecord>
  /** Reads the record of `length` bytes at a byte offset. */
  at(offset: number, length: number): Promise<WarcRecord | undefined>
}

/** How a WARC file in memory is read. */
export interface WarcReading {
  /** Name of the file in the messages of errors. */
  readonly name: string
  /** Maximum number of bytes that are unpacked, of all records that are read. Reading ends there. */
  readonly maxBytes: number
  /** Maximum number of records that are read. Reading ends there. */
  readonly maxRecords: number
  readonly signal: AbortSignal
}

/** Opens a WARC file in memory. Records are unpacked in the thread pool of Node.js. */
export function openWarcBytes(bytes: Uint8Array, { name, maxBytes, maxRecords, signal }: WarcReading): WarcBytes {
  let left = maxBytes
  const unpack: Source['unpack'] = async (packed) => {
    signal.throwIfAborted()
    const most = Math.min(left, maxRecordBytes)
    const member = most > 0 ? await unpackMemberLater(packed, most) : undefined
    if (member === undefined) return most < maxRecordBytes ? 'over' : undefined
    if (member !== 'short') left -= member.bytes.length
    return member
  }
  const source: Source = {
    unpack,
    read: async (position, length) => bufferOf(bytes.subarray(position, position + length)),
  }
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  return {
    records: async function* () {
      let count = 0
      for await (const record of recordsIn(source, bytes.length, name)) {
        yield record
        if ((count += 1) >= maxRecords) return
        await nextTurn()
      }
    },
    at: async (offset, length) => recordAt(source, offset, offset + length, isPacked, name),
  }
}

/** A file, or bytes that are read like one. */
interface Source {
  /** Resolves to fewer bytes at the end of the file. */
  read(position: number, length: number): Promise<Buffer>
  /** Default: `unpackMember`. `over` ends reading, because of a limit. */
  unpack?(packed: Uint8Array): Promise<Unpacked | 'over'>
}

type Unpacked = ReturnType<typeof unpackMember>

async function* recordsIn(file: Source, size: number, path: string): AsyncGenerator<PlacedRecord> {
  const isPacked = (await file.read(0, 2)).equals(Buffer.from([0x1f, 0x8b]))
  for (let offset = 0; offset < size;) {
    const found = await recordAt(file, offset, size, isPacked, path)
    if (!found) return
    if (found.fields.size > 0) yield found
    offset += found.length
  }
}

/**
 * Reads the record of `length` bytes at a byte offset. Resolves to `undefined` if it is incomplete. Rejects with `not_found`
 * if the file cannot be opened, `invalid_request` if it is damaged.
 */
export async function readRecord(path: string, offset: number, length: number): Promise<WarcRecord | undefined> {
  const file = await openToRead(path)
  try {
    const source = sourceOf(file)
    const isPacked = (await source.read(offset, 2)).equals(Buffer.from([0x1f, 0x8b]))
    return await recordAt(source, offset, offset + length, isPacked, path)
  } finally {
    await file.close()
  }
}

async function recordAt(
  file: Source,
  offset: number,
  end: number,
  isPacked: boolean,
  path: string,
): Promise<PlacedRecord | undefined> {
  for (let window = firstRead; ; window *= 4) {
    const bytes = await file.read(offset, Math.min(window, end - offset))
    const isAll = offset + bytes.length >= end
    const unpacked = isPacked && (file.unpack ? await file.unpack(bytes) : unpackMember(bytes, maxRecordBytes))
    if (unpacked === 'over') return undefined
    const found = unpacked === false ? plainRecord(bytes) : packedRecord(unpacked, path)
    if (found === undefined) throw damaged(path, offset)
    if (found !== 'short') return { ...found, offset }
    // The file ends inside a record, because its writer was killed.
    if (isAll) return undefined
    if (window > maxRecordBytes) throw damaged(path, offset)
  }
}

type Found = Omit<PlacedRecord, 'offset'> | 'short' | undefined

function packedRecord(member: Unpacked, path: string): Found {
  if (member === undefined || member === 'short') return member
  const record = plainRecord(member.bytes)
  if (record === 'short' || record === undefined) return undefined
  if (record.length < member.bytes.length && member.bytes.subarray(record.length).toString().trim() !== '')
    throw new EngineError(
      'invalid_request',
      `${path} is compressed as a whole, not record by record. Compress it again.`,
    )
  return { ...record, length: member.length }
}

function plainRecord(bytes: Buffer): Found {
  const end = endOfHead(bytes)
  if (end === undefined) return bytes.length < maxHeadBytes ? 'short' : undefined
  const fields = readFields(bytes.toString('utf8', 0, end - 4).trimStart())
  const size = Number(fields?.get('content-length'))
  if (!fields || !Number.isSafeInteger(size) || size < 0 || size > maxRecordBytes) return undefined
  const length = end + size + 4
  if (bytes.length < end + size) return 'short'
  return { fields, headBytes: end, block: bytes.subarray(end, end + size), length: Math.min(length, bytes.length) }
}

const sourceOf = (file: FileHandle): Source => ({
  read: async (position, length) => {
    const bytes = Buffer.alloc(Math.max(length, 0))
    let done = 0
    while (done < bytes.length) {
      const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return bytes.subarray(0, done)
  },
})

async function openToRead(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (cause) {
    throw new EngineError('not_found', `The record ${path} cannot be read. Check its path.`, { cause })
  }
}

function damaged(path: string, offset: number): EngineError {
  return new EngineError(
    'invalid_request',
    `${path} is not a WARC file, or is damaged at byte ${offset}. The head of a record may have ${maxHeadBytes} bytes.`,
  )
}
