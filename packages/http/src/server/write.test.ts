import type { ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import { write } from './write.ts'

test('pieces that stand together in memory are sent as one, and all others as they are, in their order', () => {
  const written: string[] = []
  let length: unknown
  const outgoing = {
    writeHead: (_: number, headers: Record<string, unknown>) => void (length = headers['content-length']),
    write: (piece: Uint8Array) => written.push(String(Buffer.from(piece))),
    cork: () => undefined,
    uncork: () => undefined,
    end: () => undefined,
  }
  const kept = new TextEncoder().encode('one,two,three')
  const other = new TextEncoder().encode('one,two,three')
  const body = [
    Buffer.from('['),
    kept.subarray(0, 3),
    kept.subarray(3, 4),
    kept.subarray(4, 7),
    other.subarray(7, 8),
    kept.subarray(8),
    kept.subarray(0, 3),
    Buffer.from(']'),
  ]
  // Cast: what is used of it.
  write({ status: 200, headers: {}, body }, outgoing as object as ServerResponse, new AbortController().signal)
  expect(written).toEqual(['[', 'one,two', ',', 'three', 'one', ']'])
  expect(length).toBe(written.join('').length)
})
