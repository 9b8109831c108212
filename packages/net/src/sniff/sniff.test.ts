import { atOffset, compoundFile, damagedFile, damages } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { sniffType } from './sniff.ts'

const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex')
const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const typeOf = (bytes: Uint8Array, header?: string, path = '/x'): string =>
  sniffType(bytes, header, `https://example.com${path}`).type

/** A zip of empty parts with a directory at its end. */
function zipOf(names: readonly string[], first = ''): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const name of names) {
    const text = Buffer.from(name)
    const content = Buffer.from(name === 'mimetype' ? first : '')
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(text.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(text.length, 28)
    entry.writeUInt32LE(at, 42)
    directory.push(entry, text)
    parts.push(local, text, content)
    at += 30 + text.length + content.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}

const cfb = (stream: string): Uint8Array => compoundFile(['\x05SummaryInformation', stream])

describe('bytes that give their type away', () => {
  const files: readonly (readonly [type: string, bytes: Uint8Array])[] = [
    ['application/pdf', ascii('%PDF-1.7\n%\xe2\xe3')],
    ['application/pdf', ascii(`${'\r\n'.repeat(100)}%PDF-1.4\n%\xe2\xe3\n1 0 obj\n<<`)],
    ['image/png', hex('89504e470d0a1a0a 0000000d49484452')],
    ['image/jpeg', hex('ffd8ffe000104a464946')],
    ['image/gif', ascii('GIF89a\x01\0\x01\0')],
    ['image/webp', ascii('RIFF\x24\0\0\0WEBPVP8 ')],
    ['image/avif', hex('00000020 66747970 61766966 00000000')],
    ['image/heic', hex('00000018 66747970 68656963 00000000')],
    ['image/bmp', hex('424d 36000000 0000 0000 36000000 28000000 01000000')],
    ['image/tiff', hex('49492a0008000000')],
    ['image/x-icon', hex('00000100 0100 1010')],
    ['video/mp4', hex('00000018 66747970 69736f6d 00000200')],
    ['video/quicktime', hex('00000014 66747970 71742020 00000000')],
    ['video/webm', hex('1a45dfa3 9f4286810142f781')],
    ['audio/mpeg', hex('494433 0400 00000000 0000')],
    ['audio/mpeg', hex('fffb9064 00000000')],
    ['application/ogg', hex('4f676753 00020000')],
    ['audio/flac', ascii('fLaC\0\0\0\x22')],
    ['audio/wav', ascii('RIFF\x24\0\0\0WAVEfmt ')],
    ['application/gzip', hex('1f8b0800 00000000')],
    ['application/zstd', hex('28b52ffd 04580000')],
    ['application/x-7z-compressed', hex('377abcaf271c0004')],
    ['application/vnd.rar', hex('526172211a0700cf')],
    ['application/x-xz', hex('fd377a585a000004')],
    ['application/x-bzip2', hex('425a6839314159265359')],
    ['application/x-tar', Buffer.concat([Buffer.alloc(257, 0x61), ascii('ustar\x0000'), Buffer.alloc(100)])],
    ['application/wasm', hex('0061736d01000000')],
    ['application/x-elf', hex('7f454c4602010100')],
    ['application/vnd.microsoft.portable-executable', hex('4d5a900003000000 04000000ffff0000')],
    ['font/woff2', ascii('wOF2\0\x01\0\0')],
    ['font/woff', ascii('wOFF\0\x01\0\0')],
    ['font/otf', ascii('OTTO\0\x0b\0\x80')],
    ['font/ttf', hex('0001000000 0f0080')],
    ['application/vnd.sqlite3', ascii('SQLite format 3\0\x10\0')],
    ['application/rtf', ascii('{\\rtf1\\ansi')],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      zipOf(['[Content_Types].xml', 'word/document.xml']),
    ],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', zipOf(['_rels/.rels', 'xl/workbook.xml'])],
    ['application/vnd.openxmlformats-officedocument.presentationml.presentation', zipOf(['ppt/presentation.xml'])],
    [
      'application/vnd.oasis.opendocument.text',
      zipOf(['mimetype', 'content.xml'], 'application/vnd.oasis.opendocument.text'),
    ],
    [
      'application/vnd.oasis.opendocument.spreadsheet',
      zipOf(['mimetype'], 'application/vnd.oasis.opendocument.spreadsheet'),
    ],
    ['application/epub+zip', zipOf(['mimetype', 'META-INF/container.xml'], 'application/epub+zip')],
    ['application/epub+zip', zipOf(['META-INF/container.xml', 'content.opf'])],
    [
      'application/vnd.oasis.opendocument.text',
      Buffer.concat([zipOf(['content.xml']), ascii('mimetypeapplication/vnd.oasis.opendocument.text')]),
    ],
    ['application/zip', zipOf(['a.txt', 'b/c.txt'])],
    ['application/msword', cfb('WordDocument')],
    ['application/vnd.ms-excel', cfb('Workbook')],
    ['application/vnd.ms-powerpoint', cfb('PowerPoint Document')],
    ['application/x-cfb', cfb('Something')],
  ]

  test.each(files)('are %s, whatever the header and the address say', (type, bytes) => {
    for (const header of [undefined, 'text/html; charset=utf-8', 'application/octet-stream', 'text/plain']) {
      expect(typeOf(bytes, header, '/page.html')).toBe(type)
    }
  })

  test.each([0, 1, 2, 3])('are so at offset %i of their buffer', (offset) => {
    expect(files.map(([, bytes]) => typeOf(atOffset(bytes, offset)))).toEqual(files.map(([type]) => type))
  })

  test('are found in a compound file at an odd offset whose stream holds what a search for UTF-16 text never ends on', () => {
    // Node 24: Buffer.from(…).includes('WordDocument\0', 0, 'utf16le') does not return for these bytes.
    const bytes = Buffer.concat([cfb('Workbook'), Buffer.from('5700'.repeat(300), 'hex')])
    for (const offset of [0, 1, 2, 3]) expect(typeOf(atOffset(bytes, offset))).toBe('application/vnd.ms-excel')
  })

  test('never throw, however they are damaged', () => {
    for (const [, bytes] of files)
      for (const damage of damages)
        for (let seed = 0; seed < 20; seed += 1)
          expect(typeOf(atOffset(damagedFile(bytes, damage, seed), seed % 4))).toMatch(/^[a-z]+\/[\w.+-]+$/)
  })

  test('are searched for the parts of a zip at both ends only', () => {
    const parts = zipOf(['word/document.xml'])
    const middle = Buffer.concat([parts.subarray(0, 4), Buffer.alloc(5_000_000), parts, Buffer.alloc(70_000)])
    expect(typeOf(middle)).toBe('application/zip')
  })

  test('are an office file even when it was cut short', () => {
    const whole = zipOf(['[Content_Types].xml', 'xl/workbook.xml', 'xl/styles.xml'])
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    expect(typeOf(whole.subarray(0, whole.length - 120))).toBe(type)
  })

  test('leave the finer name to the header', () => {
    expect(typeOf(zipOf(['a.kml']), 'application/vnd.google-earth.kmz')).toBe('application/vnd.google-earth.kmz')
    expect(typeOf(hex('4f676753 00020000'), 'audio/ogg')).toBe('audio/ogg')
  })

  test.each(['BMW builds cars', 'MZ is a code', 'PK is short for', 'RIFF and raff', '7z is a program', 'ID3 tags'])(
    'are not seen in a text that only begins like them: %s',
    (text) => {
      expect(typeOf(ascii(text))).toBe('text/plain')
    },
  )
})

describe('a page', () => {
  const starts = [
    '<!DOCTYPE html>',
    '<html lang=en>',
    '  \n<HEAD><title>',
    '<!-- x --><body class=a>',
    '<p>one',
    '<h1>One</h1>',
    '<br/>',
  ]

  test.each(starts)('is seen in %j where the host does not know better', (start) => {
    for (const header of [undefined, '', 'text/plain', 'application/octet-stream', 'nonsense']) {
      expect(typeOf(ascii(start), header, '/page')).toBe('text/html')
    }
  })

  test('is seen behind a mark of UTF-8 or in UTF-16', () => {
    expect(typeOf(Buffer.from('\ufeff<html>'))).toBe('text/html')
    expect(typeOf(Buffer.from('\ufeff<html>', 'utf16le'))).toBe('text/html')
  })

  test('is seen where a file was promised', () => {
    const error = ascii('<!doctype html><title>Not found</title>')
    for (const header of ['application/pdf', 'image/png', 'application/zip', 'application/vnd.ms-excel']) {
      expect(typeOf(error, header, '/file.pdf')).toBe('text/html')
    }
  })

  test('that speaks of PDFs is no PDF', () => {
    expect(typeOf(ascii('<html><p>A PDF begins with %PDF-1.4'), 'text/html')).toBe('text/html')
    expect(typeOf(ascii('<html><p>A PDF begins with %PDF-1.4'))).toBe('text/html')
    expect(typeOf(ascii('A PDF begins with %PDF-1.4\nand goes on'), 'text/plain')).toBe('text/plain')
  })

  test('is not seen in a text that has the name of one', () => {
    expect(typeOf(ascii('<h1 align="center">Name</h1>\n\n# Use'), 'text/plain', '/README.md')).toBe('text/markdown')
    expect(typeOf(ascii('<p>'), 'text/plain', '/notes.txt')).toBe('text/plain')
  })

  test('is looked for in a time that does not grow with the ways to read the comments before it', () => {
    expect(typeOf(ascii('<!---->'.repeat(140)))).toBe('text/plain')
  })

  test('is not seen in other markup', () => {
    expect(typeOf(ascii('<program>'), 'text/plain')).toBe('text/plain')
    expect(typeOf(ascii('a < b > c'), 'text/plain')).toBe('text/plain')
  })
})

describe('text', () => {
  const rows: readonly (readonly [
    what: string,
    text: string,
    header: string | undefined,
    path: string,
    type: string,
  ])[] = [
    ['JSON by header', '{"a":1}', 'application/json; charset=utf-8', '/x', 'application/json'],
    ['JSON by a finer header', '{"a":1}', 'application/ld+json', '/x', 'application/ld+json'],
    ['JSON by its name', '{"a":', undefined, '/data.json', 'application/json'],
    ['JSON by a look', ' [1, 2, {"a": null}] ', undefined, '/x', 'application/json'],
    ['JSON under the type of a page', '{"a":1}', 'text/html', '/api', 'application/json'],
    ['text that begins like JSON', '[draft] A letter', undefined, '/x', 'text/plain'],
    ['XML by a look', '<?xml version="1.0"?><catalog>', undefined, '/x', 'application/xml'],
    [
      'a feed by a look',
      '<?xml version="1.0"?>\n<!-- x --><rss version="2.0">',
      undefined,
      '/x',
      'application/rss+xml',
    ],
    [
      'another feed by a look',
      '<feed xmlns="http://www.w3.org/2005/Atom">',
      'text/plain',
      '/x',
      'application/atom+xml',
    ],
    ['a picture in XML', '<svg xmlns="http://www.w3.org/2000/svg">', undefined, '/x', 'image/svg+xml'],
    ['a picture under the type of XML', '<?xml version="1.0"?><svg>', 'text/xml', '/x', 'image/svg+xml'],
    ['a page under the type of XML', '<?xml version="1.0"?><html>', 'application/xml', '/x', 'application/xhtml+xml'],
    ['a sitemap', '<urlset xmlns="x">', undefined, '/x', 'application/xml'],
    ['a table by header', 'a,b\n1,2', 'text/csv', '/x', 'text/csv'],
    ['a table by its name', 'a,b\n1,2', 'text/plain', '/x.CSV?y=1', 'text/csv'],
    ['Markdown by its name', '# A', 'application/octet-stream', '/x.md', 'text/markdown'],
    ['a script by its name', 'let a = 1', undefined, '/x.mjs', 'text/javascript'],
    ['a page by header, whatever it holds', 'hello', 'TEXT/HTML', '/x.pdf', 'text/html'],
    ['the last of two types', 'hello', 'text/plain, text/html', '/x', 'text/html'],
    ['nothing', '', undefined, '/x', 'text/plain'],
    ['nothing under a type', '', 'application/json', '/x', 'application/json'],
  ]

  test.each(rows)('is named: %s', (_what, text, header, path, type) => {
    expect(typeOf(ascii(text), header, path)).toBe(type)
  })

  test('is not what holds bytes that no text holds', () => {
    expect(typeOf(hex('00010203'))).toBe('application/octet-stream')
    expect(typeOf(hex('61620001'), 'text/plain')).toBe('application/octet-stream')
    expect(typeOf(hex('00010203'), 'application/x-own')).toBe('application/x-own')
  })

  test('has the type that the caller knows by its extension or its beginning', () => {
    const known = {
      byExtension: new Map([
        ['mbox', 'application/mbox'],
        ['nb', 'application/x-nb+json'],
      ]),
      byStart: [['BEGIN:X', 'text/x']] as const,
    }
    const find = (text: string, header: string | undefined, path: string): string =>
      sniffType(ascii(text), header, `https://example.com${path}`, known).type
    expect(find('From a', 'text/plain', '/a.mbox')).toBe('application/mbox')
    expect(find('From \x10', undefined, '/a.mbox')).toBe('application/mbox')
    expect(find('%PDF-1.4\n', undefined, '/a.mbox')).toBe('application/pdf')
    expect(find('\nBEGIN:X', undefined, '/a')).toBe('text/x')
    expect(find('BEGIN:X', undefined, '/a.txt')).toBe('text/plain')
    expect(find('{}', 'application/json', '/a.nb')).toBe('application/x-nb+json')
    expect(find('From a', 'text/html', '/a.mbox')).toBe('text/html')
  })

  test('keeps the charset of the header', () => {
    expect(sniffType(ascii('a'), 'text/plain; Charset="KOI8-R"', 'https://example.com/')).toEqual({
      type: 'text/plain',
      charset: 'koi8-r',
    })
  })
})
