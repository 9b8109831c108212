import { describe, expect, test } from 'vitest'

import { boundaryOf, readForm } from './multipart.ts'

const head = 'Content-Disposition: form-data; name="file"; filename="a"'

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

  test('may have twenty parts, and no more', async () => {
    const form = new FormData()
    for (let index = 0; index < 20; index += 1) form.append(`field ${index}`, 'x')
    expect(await sent(form)).toHaveLength(20)
    form.append('field 20', 'x')
    expect(await sent(form)).toBeUndefined()
  })

  test('is read where it lies in the bytes of others, and nothing of it is copied', () => {
    const whole = Buffer.from(`other bytes--b\r\n${head}\r\n\r\nhello\r\n--b--other bytes`)
    const body = new Uint8Array(whole.buffer, whole.byteOffset + 11, whole.byteLength - 22)
    const [part] = readForm(body, 'b') ?? []
    expect(Buffer.from(part!.bytes).toString()).toBe('hello')
    expect(part!.bytes.buffer).toBe(whole.buffer)
  })
})

const one = (heads: string, before = '', after = '') =>
  text(readForm(Buffer.from(`${before}--b\r\n${heads}\r\n\r\nhello\r\n--b--${after}`), 'b'))?.[0]

test.each([
  ['words before it', one(head, 'a preamble\r\n')],
  ['an empty line before it', one(head, '\r\n')],
  ['words behind it', one(head, '', '\r\nan epilogue')],
  ['blanks behind a boundary', text(readForm(Buffer.from(`--b \t\r\n${head}\r\n\r\nhello\r\n--b--`), 'b'))?.[0]],
  ['a long head', one(`${head}\r\nX-Long: ${'x'.repeat(8_000)}`)],
  ['names of headers in other letters', one(head.replace('Content-Disposition', 'CONTENT-disposition'))],
  ['names of parameters in other letters', one(head.replace('form-data; name', 'Form-Data ; NAME'))],
  ['no blank behind the name of a header', one(head.replace(': ', ':'))],
  ['a blank before the colon', one(head.replace(':', ' :'))],
  ['parameters without quotes', one('Content-Disposition: form-data; name=file; filename=a')],
  ['parameters in another order', one('Content-Disposition: form-data; filename="a"; name="file"')],
])('a form with %s is read', (_, part) => {
  expect(part).toEqual({ name: 'file', fileName: 'a', contentType: undefined, text: 'hello' })
})

test.each([
  [String.raw`"a \"b\" \\c"`, String.raw`a "b" \c`],
  ['"a %22b%22 %0D%0Ac"', 'a "b" \r\nc'],
  ['"; name=other"', '; name=other'],
  ['""', ''],
])('the name %s of a file is read as it was meant', (written, name) => {
  expect(one(`Content-Disposition: form-data; name="file"; filename=${written}`)).toMatchObject({
    name: 'file',
    fileName: name,
  })
})

test('the type of a part is what stands behind its first colon, without blanks', () => {
  const type = 'text/plain; a="b:c"'
  expect(one(`${head}\r\nContent-Type:  ${type} `)).toMatchObject({ contentType: type })
})

test.each([
  ['nothing', ''],
  ['one dash behind a boundary', `--b-\r\n${head}\r\n\r\nhello\r\n--b--`],
  ['no part before it ends, nor a line', '--b'],
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
  ['multipart/form-data ;boundary=a; charset=utf-8', 'a'],
  ['multipart/form-data; BOUNDARY="a;b"', 'a;b'],
  ['multipart/form-data', undefined],
  ['a multipart/form-data; boundary=abc', undefined],
  ['multipart/mixed; boundary=abc', undefined],
  [`multipart/form-data; boundary=${'a'.repeat(80)}x`, 'a'.repeat(70)],
  [null, undefined],
])('the boundary of %s', (header, boundary) => {
  expect(boundaryOf(header)).toBe(boundary)
})
