import { afterAll, describe, expect, test } from 'vitest'

import { epub } from './fixtures/files.ts'
import { fileReader } from './fixtures/reading.ts'

const reader = fileReader()
afterAll(() => reader.close())

const read = async (...bodies: readonly string[]): Promise<string> =>
  (await reader.read(epub(bodies.map((body, index) => ({ name: `c${index}`, body }))))).markdown

describe('a book', () => {
  test('has its chapters in the order of the spine, and says what it is', async () => {
    const { markdown, metadata } = await reader.read(
      epub([
        { name: 'b', body: '<h1>One</h1><p>a</p>' },
        { name: 'a', body: '<h1>Two</h1><p>b</p>' },
      ]),
    )
    expect(markdown).toBe('# One\n\na\n\n# Two\n\nb')
    expect(metadata).toMatchObject({ title: 'A Book', author: 'Ada, Bob', language: 'en', numChapters: 2 })
  })

  test('has titles from its contents where a chapter has none, in both versions', async () => {
    const nav =
      '<html xmlns="http://www.w3.org/1999/xhtml"><body><nav><ol><li><a href="c.xhtml">From nav</a></li></ol></nav></body></html>'
    const three = epub(
      [{ name: 'c', body: '<p>x</p>' }],
      '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
      { 'OEBPS/nav.xhtml': nav },
    )
    expect((await reader.read(three)).markdown).toBe('## From nav\n\nx')
    const ncx =
      '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>From ncx</text></navLabel><content src="c.xhtml#top"/></navPoint></navMap></ncx>'
    const two = epub(
      [{ name: 'c', body: '<p>x</p>' }],
      '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
      { 'OEBPS/toc.ncx': ncx },
    )
    expect((await reader.read(two)).markdown).toBe('## From ncx\n\nx')
  })

  test('is read as XHTML: an empty element ends where it begins', async () => {
    expect(await read('<p><a id="x"/>a<script/>b<br/>c &nbsp;&copy;</p><title/><p>d</p>')).toBe('ab  \nc \u00a0©\n\nd')
  })

  test('has links that lead out, and text for those inside', async () => {
    expect(
      await read(
        '<p><a href="https://example.com/">out</a> <a href="c1.xhtml">chapter two</a> <a href="#x">somewhere</a></p>',
        '<p>x</p>',
      ),
    ).toBe('[out](https://example.com/) chapter two somewhere\n\nx')
  })

  test('has notes that stand in another file', async () => {
    const text = '<p>Text<a epub:type="noteref" id="r1" href="c1.xhtml#n1">1</a> more</p>'
    const notes = '<ol><li id="n1"><p>The note. <a href="c0.xhtml#r1">↩</a></p></li></ol>'
    expect(await read(text, notes)).toBe('Text[^1] more\n\n[^1]: The note.')
  })

  test('has pictures by their description, tables and lists as pages have them', async () => {
    expect(
      await read(
        '<img src="a.png" alt="A cat"/><ol start="3"><li>c</li></ol><table><thead><tr><th>A</th><th>B</th></tr></thead><tr><td colspan="2">w</td></tr></table>',
      ),
    ).toBe('(Image: A cat)\n\n3. c\n\n| A | B |\n| --- | --- |\n| w |  |')
  })

  test('says which chapters are missing, and refuses when they are locked', async () => {
    const spine = epub([{ name: 'c', body: '<p>x</p>' }], '', { 'OEBPS/c.xhtml': '' })
    expect((await reader.read(spine)).warning).toContain('"OEBPS/c.xhtml" is missing')
    const list =
      '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="OEBPS/c.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>'
    const locked = epub([{ name: 'c', body: '<p>x</p>' }], '', { 'META-INF/encryption.xml': list })
    await expect(reader.read(locked)).rejects.toMatchObject({
      code: 'unsupported_file',
      details: { reason: 'encrypted' },
    })
  })
})
