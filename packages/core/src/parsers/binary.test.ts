import { describe, expect, test } from 'vitest'

import { createEngine } from '../engine/engine.ts'
import { defineParser, definePlugin } from '../plugin/define.ts'
import type { MakeFetcher } from '@harvestman/ports'

const url = 'https://a.example/file'
const pdf = new TextEncoder().encode('%PDF-1.4\n%%EOF\n')

const parserOf = (name: string, type: string) => {
  const parser = defineParser({ name, accepts: [type], parse: () => ({ html: '<p>Found it</p>' }) })
  return definePlugin({ name, parsers: [parser] })
}

function engineFor(type: string, body: Uint8Array = pdf, plugins: readonly ReturnType<typeof parserOf>[] = []) {
  const fetcher: MakeFetcher = () => ({
    exchange: async () => ({ status: 200, headers: [['content-type', type]], body }),
    close: async () => undefined,
  })
  return createEngine({ fetcher, plugins })
}

test.each([[{ parsers: [] }], [{ parsePDF: false }]])(
  'a PDF is given as it is for %j, for one credit',
  async (options) => {
    const { markdown, metadata } = await engineFor('application/pdf').unchecked.scrape({ url, ...options })
    expect(markdown).toBe(Buffer.from(pdf).toString('base64'))
    expect(metadata.creditsUsed).toBe(1)
  },
)

test.each([[[]], [[parserOf('pdf', 'application/pdf')]]])(
  'a PDF that is given as it is has the type of its bytes, whatever the server declares',
  async (plugins) => {
    const engine = engineFor('application/octet-stream', pdf, plugins)
    const { metadata } = await engine.unchecked.scrape({ url, parsers: [] })
    expect(metadata.contentType).toBe('application/pdf')
  },
)

describe('an image that is not read', () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const failure = async (type: string, plugins: readonly ReturnType<typeof parserOf>[], body = png): Promise<string> =>
    engineFor(type, body, plugins)
      .unchecked.scrape({ url, parsers: ['pdf'] })
      .then(
        () => '',
        (error: unknown) => (error as Error).message,
      )

  test('names the entry of parsers to add if its parser is there', async () => {
    const message = await failure('image/png', [parserOf('image', 'image/png')])
    expect(message).toContain('Add image to parsers.')
    expect(message).not.toContain('plugin')
  })

  test.each(['image/png', 'image/avif'])('names no entry of parsers for %s if no parser reads it', async (type) => {
    const body = type === 'image/png' ? png : new Uint8Array([0, 1, 2, 3])
    const message = await failure(type, [parserOf('image', 'image/webp')], body)
    expect(message).toContain('plugin')
    expect(message).not.toContain('Add image to')
  })
})

describe('a file that no parser reads', () => {
  const failure = async (type: string, body?: Uint8Array): Promise<string> =>
    engineFor(type, body)
      .unchecked.scrape({ url })
      .then(
        () => '',
        (error: unknown) => (error as Error).message,
      )

  test('names the plugin that reads a PDF', async () => {
    expect(await failure('application/pdf')).toContain('Add the plugin pdf() of @harvestman/documents/pdf')
  })

  test.each([
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.oasis.opendocument.text',
    'application/epub+zip',
  ])('names the plugin that reads %s', async (type) => {
    expect(await failure(type, new Uint8Array([0x50, 0x4b, 3, 4]))).toContain('documents() of @harvestman/documents')
  })

  test('names the plugin that reads files of the years before 2007', async () => {
    const cfb = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0])
    expect(await failure('application/msword', cfb)).toContain('documents() of @harvestman/documents')
  })

  test('names none where there is none', async () => {
    expect(await failure('application/x-unknown', new Uint8Array([0, 1, 2]))).toContain(
      'Add a plugin with a parser for it.',
    )
  })
})
