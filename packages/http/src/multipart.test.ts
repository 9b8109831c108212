import { describe, expect, test } from 'vitest'

import { boundaryOf, readForm } from './multipart.ts'

const text = (parts: ReturnType<typeof readForm>) =>
  parts?.map(({ bytes, ...rest }) => ({ ...rest, text: Buffer.from(bytes).toString() }))

async function sent(form: FormData) {
  const request = new Request('http://a.test/', { method: 'POST', body: form })
  const boundary = boundaryOf(request.headers.get('content-type'))
  return readForm(new Uint8Array(await request.arrayBuffer()), boundary ?? '')
}

describe('a form of a platform', () => {
  test('gives its fields and files as they were, whatever their bytes and names', async () => {
    const form = new FormData()
    form.append('options', '{"formats":["markdown"]}')
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256)
    form.append('file', new Blob([bytes], { type: 'application/pdf' }), 'Bericht "über" Öl\r\n; name=x.pdf')
    const [options, file] = (await sent(form)) ?? []
    expect(text([options!])).toEqual([
      { name: 'options', fileName: undefined, contentType: undefined, text: '{"formats":["markdown"]}' },
    ])
    expect(file).toMatchObject({
      name: 'file',
      fileName: 'Bericht "über" Öl\r\n; name=x.pdf',
      contentType: 'application/pdf',
    })
    expect(Buffer.from(file!.bytes).equals(bytes)).toBe(true)
  })

  test('may have nothing in a file, and line ends at its edges', async () => {
    const form = new FormData()
    form.append('file', new Blob(['']), 'empty')
    form.append('file', new Blob(['\r\n--not\r\n\r\n']), 'edges')
    expect(text(await sent(form))?.map((part) => part.text)).toEqual(['', '\r\n--not\r\n\r\n'])
  })

  test('of very many parts is none', async () => {
    const form = new FormData()
    for (let index = 0; index < 21; index += 1) form.append(`field ${index}`, 'x')
    expect(await sent(form)).toBeUndefined()
  })
})

const head = 'Content-Disposition: form-data; name="file"; filename="a"'

test.each([
  ['nothing', ''],
  ['no boundary', 'hello'],
  ['no end', `--b\r\n${head}\r\n\r\nhello`],
  ['a part without a head', '--b\r\n\r\nhello\r\n--b--'],
  ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nhello\r\n--b--'],
  ['a part of another kind', '--b\r\nContent-Disposition: attachment; name="file"\r\n\r\nhello\r\n--b--'],
  ['words after a boundary', `--b words\r\n${head}\r\n\r\nhello\r\n--b--`],
  ['a head without end', `--b\r\n${head}${'x'.repeat(9_000)}\r\n\r\nhello\r\n--b--`],
])('%s is no form', (_, body) => {
  expect(readForm(Buffer.from(body), 'b')).toBeUndefined()
})

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['Multipart/Form-Data; charset=utf-8; boundary="a b"', 'a b'],
  ['multipart/form-data', undefined],
  ['multipart/mixed; boundary=abc', undefined],
  [`multipart/form-data; boundary=${'a'.repeat(80)}x`, 'a'.repeat(70)],
  [null, undefined],
])('the boundary of %s', (header, boundary) => {
  expect(boundaryOf(header)).toBe(boundary)
})
