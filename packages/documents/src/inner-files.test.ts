import { describe, expect, test } from 'vitest'

import { convertFile } from './convert.ts'
import { docx, p, zipOf } from './fixtures/files.ts'
import type { Kind } from './kinds.ts'
import { defaultLimits, type Limits } from './limits.ts'

const read = (bytes: Uint8Array, kind: Kind = 'zip', limits: Partial<Limits> = {}, others: readonly string[] = []) =>
  convertFile({ bytes, kind, limits: { ...defaultLimits, ...limits }, others: new Set(others) })

const attachment = (name: string, content: string): string =>
  `--b\nContent-Type: application/octet-stream; name="${name}"\nContent-Disposition: attachment\n\n${content}\n`
const mail = (...parts: readonly string[]): Uint8Array =>
  Buffer.from(`Subject: s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n${parts.join('')}--b--\n`)

describe('a file in a file', () => {
  test('for another parser leaves a place in the HTML, in the order of the archive', async () => {
    const { html, inner } = await read(
      zipOf({ 'a.txt': 'one', 'b.pdf': '%PDF-b', 'c.txt': 'two', 'd.pdf': '%PDF-d' }),
      'zip',
      {},
      ['pdf'],
    )
    expect(inner.map(({ name }) => name)).toEqual(['b.pdf', 'd.pdf'])
    expect(html).toEqual([
      expect.stringMatching(/one<\/p><h2>b\.pdf<\/h2>$/),
      expect.stringMatching(/^<h2>c\.txt<\/h2><p>two<\/p><h2>d\.pdf<\/h2>$/),
      '</body></html>',
    ])
  })

  test('for another parser is not copied with the buffer that it is in', async () => {
    const { inner } = await read(zipOf({ 'a.pdf': '%PDF-a' }, 0), 'zip', {}, ['pdf'])
    expect(inner[0]?.bytes.buffer.byteLength).toBe(6)
  })

  test('for another parser is left out beyond the limit of bytes', async () => {
    const file = zipOf({ 'a.pdf': 'x'.repeat(60), 'b.pdf': 'x'.repeat(60) })
    const { inner, warnings } = await read(file, 'zip', { innerBytes: 100 }, ['pdf'])
    expect(inner.map(({ name }) => name)).toEqual(['a.pdf'])
    expect(warnings).toEqual([expect.stringContaining('limits.innerBytes (100)')])
  })

  test('that is damaged costs itself alone', async () => {
    const { html, warnings } = await read(zipOf({ 'a.docx': docx(p('x')).subarray(0, 200), 'b.docx': docx(p('safe')) }))
    expect(html.join('')).toContain('<h2>b.docx</h2><p>safe</p>')
    expect(warnings).toEqual([expect.stringMatching(/^The file "a\.docx" is left out\. The file is damaged/)])
  })

  test('in a file in a file is listed, and not read', async () => {
    const { html } = await read(zipOf({ 'a.eml': mail(attachment('deep.txt', 'deep')) }))
    expect(html.join('')).toContain('deep.txt (application/octet-stream')
    expect(html.join('')).not.toContain('<p>deep')
  })

  test('counts as long as it is unpacked', async () => {
    const { warnings } = await read(
      mail(attachment('a.txt', 'x'.repeat(90)), attachment('b.txt', 'x'.repeat(90))),
      'mail',
      {
        unpackedBytes: 100,
      },
    )
    expect(warnings).toEqual([expect.stringContaining('limits.unpackedBytes (100)')])
  })
})
