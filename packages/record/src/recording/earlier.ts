// Prepares a record for appending. If its writer was killed, an incomplete last entry or line is removed, because nothing after
// it could be read.
import { existsSync } from 'node:fs'
import { open, truncate } from 'node:fs/promises'

import type { RecordFiles } from '../options.ts'
import { printEntry } from '../warc/cdxj.ts'
import { readMessage, statusOf } from '../warc/http.ts'
import { readWarc, type PlacedRecord } from '../warc/reader.ts'

/**
 * Truncates the files of a record after their last complete entries. Returns the lines of its index. Rejects with `not_found` if
 * there is no such file, `invalid_request` if it is damaged.
 */
export async function readEarlier({ warc, rest }: RecordFiles): Promise<readonly string[]> {
  const filename = warc.split(/[/\\]/).at(-1) ?? warc
  const answers: PlacedRecord[] = []
  const methods = new Map<string, string>()
  let end = 0
  for await (const { block, ...record } of readWarc(warc)) {
    end = record.offset + record.length
    const type = record.fields.get('warc-type')
    const [method = 'GET'] = readMessage(block)?.start.split(' ') ?? []
    if (type === 'request') methods.set(record.fields.get('warc-concurrent-to') ?? '', method)
    // Keep only the head in memory: bodies can be large.
    if (type === 'response' || type === 'revisit') answers.push({ ...record, block: headOf(block) })
  }
  await truncate(warc, end)
  if (existsSync(rest)) await cutLastLine(rest)
  return answers.flatMap((answer) => lineOf(answer, methods, filename))
}

function headOf(block: Uint8Array): Uint8Array {
  const body = readMessage(block)?.body.length ?? 0
  return Uint8Array.from(block.subarray(0, block.length - body))
}

function lineOf(answer: PlacedRecord, methods: ReadonlyMap<string, string>, filename: string): string[] {
  const { fields, block, offset, length } = answer
  const [url = '', at] = [fields.get('warc-target-uri'), Date.parse(fields.get('warc-date') ?? '')]
  const message = readMessage(block)
  if (!URL.canParse(url) || Number.isNaN(at) || !message) return []
  const method = methods.get(fields.get('warc-record-id') ?? '') ?? 'GET'
  const type = message.headers.find(([name]) => name === 'content-type')?.[1].split(';')[0] ?? 'unk'
  const mime = fields.get('warc-type') === 'revisit' ? 'warc/revisit' : type
  const place = { offset, length, filename, digest: fields.get('warc-payload-digest') ?? '' }
  return [printEntry({ url, at, mime, status: statusOf(message), ...place, ...(method !== 'GET' && { method }) })]
}

const pieceBytes = 65_536

async function cutLastLine(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    let [from, at] = [size, -1]
    while (from > 0 && at < 0) {
      const length = Math.min(pieceBytes, from)
      from -= length
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, from)
      at = buffer.lastIndexOf('\n')
    }
    await file.truncate(from + at + 1)
  } finally {
    await file.close()
  }
}
