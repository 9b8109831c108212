// Files that are sent, by the official client and by hand, to a real server.
import { createClient } from '@harvestman/client'
import { documents } from '@harvestman/documents'
import { pdf } from '@harvestman/pdf'
import { scriptedLLM } from '@harvestman/testing'
import Client from 'firecrawl'
import { connect } from 'node:net'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import { openHouse, type Body } from './bench.ts'

const llm = scriptedLLM([{ value: { price: 12 } }])
const house = openHouse('fc-key,other:other-key', {
  llm,
  plugins: [pdf(), documents()],
  limits: { bodyBytes: 1_000_000 },
})
const client = () => new Client({ apiKey: 'fc-key', apiUrl: house.server.url })
const realFiles = new URL('../../packages/documents/src/fixtures/real/', import.meta.url)
const office = (name: string) => new Uint8Array(readFileSync(new URL(name, realFiles)))
const page = '<title>Lamp</title><main><h1>Lamp</h1><p>It costs EUR 12. <a href="https://a.test/">More</a></p></main>'
const paper = async () => new Uint8Array(await (await fetch(house.at('/good/paper.pdf'))).arrayBuffer())

interface ListedFormat {
  readonly kind: 'document' | 'image'
  readonly extensions: readonly string[]
  readonly available: boolean
}

describe('The list of files that can be parsed', () => {
  const authorization = 'Bearer fc-key'
  const list = async () => {
    const response = await fetch(`${house.server.url}/v2/parse/formats`, { headers: { authorization } })
    expect(response.headers.get('cache-control')).toBe('private, max-age=3600')
    const { data } = (await response.json()) as { readonly data: { readonly formats: readonly ListedFormat[] } }
    return data.formats
  }
  const parse = async (bytes: Uint8Array<ArrayBuffer>, name: string) => {
    const form = new FormData()
    form.set('file', new Blob([bytes], { type: 'application/octet-stream' }), name)
    const response = await fetch(`${house.server.url}/v2/parse`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    })
    return {
      status: response.status,
      body: (await response.json()) as { readonly code?: string; readonly error?: string },
    }
  }

  test('has every extension of the real files here, and each is parsed', async () => {
    const extensions = (await list()).flatMap(({ available, extensions }) => (available ? extensions : []))
    const files = readdirSync(realFiles).filter((name) => !name.endsWith('.md'))
    expect(files.map((name) => name.slice(name.lastIndexOf('.'))).filter((one) => !extensions.includes(one))).toEqual(
      [],
    )
    for (const name of files)
      expect({ name, status: (await parse(office(name), name)).status }).toEqual({ name, status: 200 })
  })

  test('says that images are not available, and they are refused with what is', async () => {
    const images = (await list()).filter(({ kind }) => kind === 'image')
    expect(images.map(({ available }) => available)).toEqual(images.map(() => false))
    const png = new Uint8Array(
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    )
    expect(await parse(png, 'a.png')).toMatchObject({
      status: 400,
      body: {
        code: 'UNSUPPORTED_FILE_TYPE',
        error: expect.stringMatching(/^Unsupported upload type image\/png\. .*\.docx/),
      },
    })
  })
})

describe('The official client', () => {
  test('has a page of HTML read, in all its formats', async () => {
    const document = await client().parse(
      { data: page, filename: 'lamp.html', contentType: 'text/html' },
      { formats: ['markdown', 'html', 'links'], onlyMainContent: true, timeout: 20_000 },
    )
    expect(document).toMatchObject({
      markdown: '# Lamp\n\nIt costs EUR 12. [More](https://a.test/)',
      html: expect.stringContaining('<h1>Lamp</h1>') as string,
      links: ['https://a.test/'],
      metadata: {
        title: 'Lamp',
        statusCode: 200,
        contentType: 'text/html',
        creditsUsed: 1,
        sourceURL: 'lamp.html',
      },
    })
  })

  test('has a PDF read, by its bytes and not by its name', async () => {
    const { markdown, metadata } = await client().parse({ data: await paper(), filename: 'page.html' })
    expect(markdown).toContain('A harvestman in a paper')
    expect(metadata).toMatchObject({ numPages: 1, creditsUsed: 1 })
  })

  test.each([
    ['garden.docx', /garden/i],
    ['garden.odt', /garden/i],
    ['deck.pptx', /\w/],
    ['garden.epub', /garden/i],
  ])('has %s read', async (filename, says) => {
    const { markdown } = await client().parse({ data: office(filename), filename })
    expect(markdown).toMatch(says)
  })

  test('has the PDFs that are attached to a mail read, each page for a credit', async () => {
    const pdfs = ['one.pdf', 'two.pdf'].map(
      async (name) =>
        `--b\nContent-Type: application/pdf; name=${name}\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n${Buffer.from(await paper()).toString('base64')}\n`,
    )
    const head = 'Subject: Papers\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n'
    const data = `${head}${(await Promise.all(pdfs)).join('')}--b--\n`
    const { markdown, metadata } = await client().parse({ data, filename: 'papers.eml' })
    expect(markdown).toMatch(
      /^# Papers\n.*## one\.pdf\n.*A harvestman in a paper.*## two\.pdf\n.*A harvestman in a paper/s,
    )
    expect(metadata).toMatchObject({ title: 'Papers', creditsUsed: 2 })
    const without = await client().parse({ data, filename: 'papers.eml' }, { parsers: [] })
    expect(without.markdown).toContain('two.pdf (application/pdf')
    expect(without.markdown).not.toContain('A harvestman')
    expect(without.metadata).toMatchObject({ creditsUsed: 1 })
  })

  test('gets JSON of a file', async () => {
    const schema = { type: 'object', properties: { price: { type: 'number' } } }
    const { json } = await client().parse(
      { data: page, filename: 'lamp.html' },
      { formats: [{ type: 'json', prompt: 'What does it cost?', schema }] },
    )
    expect(json).toEqual({ price: 12 })
  })

  test('finds the document again', async () => {
    const { metadata } = await client().parse({ data: page, filename: 'lamp.html' })
    const found = await fetch(`${house.server.url}/v2/scrape/${String(metadata?.['scrapeId'])}`, {
      headers: { authorization: 'Bearer fc-key' },
    })
    expect(((await found.json()) as { data: { markdown: string } }).data.markdown).toMatch(/^# Lamp/)
  })

  test('is told of files that cannot be read', async () => {
    const zeros = Buffer.alloc(2_000)
    await expect(client().parse({ data: zeros, filename: 'a.bin' })).rejects.toThrow(
      /Unsupported upload type application\/octet-stream/,
    )
  })
})

test('our own client has a file read, with the formats of its document in the types', async () => {
  const own = createClient({ url: house.server.url, key: 'fc-key' })
  const { links, metadata } = await own.parse(new TextEncoder().encode(page), {
    name: 'lamp.html',
    url: 'https://shop.test/1',
    formats: ['links'],
  })
  expect({ links, url: metadata.url }).toEqual({ links: ['https://a.test/'], url: 'https://shop.test/1' })
  await expect(own.parse(new Blob([page]), { formats: ['screenshot'] as never })).rejects.toMatchObject({
    status: 400,
    code: 'PARSE_UNSUPPORTED_OPTIONS',
  })
})

async function send(form: FormData | string, headers: Record<string, string> = {}) {
  const response = await fetch(`${house.server.url}/v2/parse`, {
    method: 'POST',
    body: form,
    headers: { authorization: 'Bearer fc-key', ...headers },
  })
  return { status: response.status, body: (await response.json()) as Body & { readonly code?: string } }
}

function formOf(parts: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) form.append(name, part)
  return form
}

describe('The server', () => {
  const file = new Blob([page], { type: 'text/html' })

  test.each<[string, FormData | string, Record<string, string>, number, string]>([
    ['no key', formOf({ file }), { authorization: 'Bearer wrong' }, 401, 'UNAUTHORIZED'],
    ['JSON that names no file', '{}', { 'content-type': 'application/json' }, 400, 'BAD_REQUEST'],
    ['a text', 'page', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form without an edge', 'x', { 'content-type': 'multipart/form-data' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form that is none', 'x', { 'content-type': 'multipart/form-data; boundary=b' }, 400, 'BAD_REQUEST'],
    ['no file', formOf({ options: '{}' }), {}, 400, 'BAD_REQUEST'],
    ['an empty file', formOf({ file: new Blob([]) }), {}, 400, 'BAD_REQUEST'],
    ['options that are no JSON', formOf({ file, options: '{' }), {}, 400, 'BAD_REQUEST'],
    ['options of a page', formOf({ file, options: '{"waitFor":1}' }), {}, 400, 'PARSE_UNSUPPORTED_OPTIONS'],
    ['unknown options', formOf({ file, options: '{"colour":1}' }), {}, 400, 'BAD_REQUEST'],
    ['monster options', formOf({ file, options: `[${'0,'.repeat(60_000)}0]` }), {}, 413, 'BODY_TOO_LARGE'],
    ['a file that is too large', formOf({ file: new Blob([Buffer.alloc(1_000_001)]) }), {}, 413, 'BODY_TOO_LARGE'],
    [
      'a file that no parser reads',
      formOf({ file: new Blob([Buffer.alloc(2_000)]) }),
      {},
      400,
      'UNSUPPORTED_FILE_TYPE',
    ],
    ['the page of another site', formOf({ file }), { origin: 'https://evil.test' }, 403, 'FORBIDDEN'],
  ])('refuses %s', async (_, form, headers, status, code) => {
    const answer = await send(form, headers)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code })
  })

  test('reads no more of a body without a length than it may hold', async () => {
    const socket = connect(house.server.port, '127.0.0.1')
    const head = ['POST /v2/parse HTTP/1.1', 'host: localhost', 'authorization: Bearer fc-key']
    const type = 'content-type: multipart/form-data; boundary=b'
    socket.write([...head, type, 'transfer-encoding: chunked', '', ''].join('\r\n'))
    const chunk = Buffer.alloc(100_000, 'x')
    let sent = 0
    const answers: string[] = []
    socket.on('data', (bytes) => void answers.push(String(bytes)))
    socket.on('error', () => undefined)
    while (answers.length === 0 && sent < 50_000_000 && !socket.destroyed) {
      socket.write(`${chunk.length.toString(16)}\r\n`)
      socket.write(chunk)
      socket.write('\r\n')
      sent += chunk.length
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    socket.destroy()
    expect(answers.join('')).toMatch(/^HTTP\/1\.1 413/)
    expect(sent).toBeLessThan(50_000_000)
  })
})

describe('A file that is sent before it is parsed', () => {
  const json = { 'content-type': 'application/json' }
  const place = async (body: object = { filename: 'lamp.html', contentType: 'text/html' }, key = 'fc-key') => {
    const headers = { ...json, authorization: `Bearer ${key}` }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${house.server.url}/v2/parse/upload-url`, request)
    return { status: response.status, body: (await response.json()) as Body & Readonly<Record<string, string>> }
  }
  const put = async (url: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { method: 'PUT', body, headers })
    return { status: response.status, body: (await response.json()) as { readonly code?: string } }
  }
  const parse = (body: object, key = 'fc-key') =>
    send(JSON.stringify(body), { ...json, authorization: `Bearer ${key}` })

  test('is sent without a key to an address, and read once by its team', async () => {
    const { status, body } = await place()
    const given = {
      uploadUrl: `${house.server.url}/v2/parse/upload/${body['uploadRef']}`,
      uploadRef: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      method: 'PUT',
      headers: { 'Content-Type': 'text/html' },
      expiresAt: expect.any(String) as string,
      maxSizeBytes: 1_000_000,
    }
    expect({ status, ...body }).toEqual({ status: 200, success: true, ...given, data: given })
    const { uploadUrl = '', uploadRef } = body
    expect((await parse({ uploadRef })).body).toMatchObject({
      code: 'BAD_REQUEST',
      error: expect.stringContaining('the file was not uploaded') as string,
    })
    expect(await put(uploadUrl, page)).toEqual({ status: 200, body: { success: true } })
    expect(await parse({ uploadRef }, 'other-key')).toMatchObject({ status: 404 })
    expect(await parse({ uploadRef, waitFor: 1 })).toMatchObject({
      status: 400,
      body: { code: 'PARSE_UNSUPPORTED_OPTIONS' },
    })
    const read = await parse({ uploadRef, formats: ['markdown', 'links'], origin: 'mcp' })
    expect(read.body.data).toMatchObject({
      markdown: '# Lamp\n\nIt costs EUR 12. [More](https://a.test/)',
      links: ['https://a.test/'],
      metadata: { sourceURL: 'lamp.html', creditsUsed: 1 },
    })
    expect(await parse({ uploadRef })).toMatchObject({ status: 404 })
    expect(await put(uploadUrl, page)).toMatchObject({ status: 404 })
  })

  test('is refused where it is too large, empty, compressed, or has no place', async () => {
    expect(await place({ filename: 'a', declaredSizeBytes: 1_000_001 })).toMatchObject({ status: 400 })
    expect(await place({ filename: '' })).toMatchObject({ status: 400 })
    expect(await place({ filename: 'a', contentType: 'text/html\r\nx: y' })).toMatchObject({ status: 400 })
    expect(await place({ filename: 'a' }, 'wrong')).toMatchObject({ status: 401 })
    const { uploadUrl = '' } = (await place({ filename: 'a' })).body
    expect(await put(uploadUrl, new Uint8Array(1_000_001))).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE' },
    })
    expect(await put(uploadUrl, page, { 'content-encoding': 'gzip' })).toMatchObject({ status: 415 })
    expect(await put(uploadUrl, '')).toMatchObject({ status: 400 })
    const nowhere = `${house.server.url}/v2/parse/upload/0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11`
    expect(await put(nowhere, page)).toMatchObject({ status: 404 })
  })

  test('is not read at all where there is no place for it', async () => {
    const socket = connect(house.server.port, '127.0.0.1')
    const head = ['PUT /v2/parse/upload/0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11 HTTP/1.1', 'host: localhost']
    socket.write([...head, 'content-length: 900000', '', ''].join('\r\n'))
    const answer = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))))
    socket.destroy()
    expect(answer).toMatch(/^HTTP\/1\.1 404/)
  })
})
