import { expect, test } from 'vitest'

import { createEngine } from '../engine/engine.ts'
import { defineLoader, definePlugin } from '../plugin/define.ts'

const url = 'https://a.test/'

const engineWith = (html: string) =>
  createEngine({
    plugins: [
      definePlugin({
        name: 'pages',
        loaders: [
          defineLoader({
            name: 'saved',
            cost: 0,
            load: async () => ({
              ...{ url, status: 200, captured: {}, actions: {}, proxyUsed: 'basic', warnings: [] },
              headers: { 'content-type': 'text/html; charset=utf-8' },
              body: new TextEncoder().encode(html),
            }),
          }),
        ],
      }),
    ],
  })

test('video returns the videos that the page names, and audio its first audio file, for the price of a page', async () => {
  await using engine = engineWith(
    '<video src="/v.mp4"></video><audio src="/1.mp3"></audio><audio src="/2.mp3"></audio>',
  )
  const { videos, audio, metadata, ...rest } = await engine.scrape({ url, formats: ['video', 'audio'] })
  expect(videos).toEqual([{ url: 'https://a.test/v.mp4', sourceURL: url, source: 'element', kind: 'file' }])
  expect([audio, metadata.creditsUsed, rest]).toEqual(['https://a.test/1.mp3', 1, {}])
  expect((await engine.scrape({ url, formats: ['videos'] })).videos).toEqual(videos)
})

test('A page without media has neither key, and a warning for each format', async () => {
  await using engine = engineWith('<p>Some text.</p><meta property="og:audio" content="data:audio/mpeg;base64,AA">')
  const { warning = '', metadata: _, ...rest } = await engine.scrape({ url, formats: ['video', 'audio'] })
  expect(rest).toEqual({})
  expect(warning).toMatch(/video found no video.* audio found no audio file/)
})
