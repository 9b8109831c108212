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

  test('that nests too deeply for the reader of its text costs itself alone', async () => {
    const { html, warnings } = await read(zipOf({ 'a.txt': 'safe', 'b.md': '>'.repeat(20_000) }))
    expect(html.join('')).toContain('<h2>a.txt</h2><p>safe</p>')
    expect(warnings).toEqual(['The file "b.md" is left out. The file nests more than 100 quotes, so it is not read.'])
  })

  test('that cannot be unpacked costs itself alone', async () => {
    const bytes = Buffer.from(zipOf({ 'a.txt': 'broken', 'b.txt': 'x'.repeat(2_000_000), 'c.txt': 'safe' }))
    // The checksum of the first file, in the directory.
    const at = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    bytes.writeUInt32LE(1, at + 16)
    const { html, warnings } = await read(bytes)
    expect(html.join('')).toContain('<body><h2>c.txt</h2><p>safe</p>')
    expect(warnings).toEqual([
      expect.stringMatching(/^The file "a\.txt" is left out\. .*checksum/),
      expect.stringMatching(/^The file "b\.txt" is left out\. .*more than 200 times/),
    ])
  })

  test('is not read if that file is itself in another one', async () => {
    const inner = { limits: defaultLimits, isInner: true }
    await expect(convertFile({ ...inner, bytes: zipOf({ 'a.txt': 'x' }), kind: 'zip' })).rejects.toMatchObject({
      code: 'unsupported_file',
    })
    const { html } = await convertFile({ ...inner, bytes: mail(attachment('deep.txt', 'deep')), kind: 'mail' })
    expect(html.join('')).not.toContain('<p>deep')
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
