import { expect, test } from 'vitest'

import { findMedia } from './media.ts'
import { parseHtml } from '../parse/parse.ts'
import { makeBase } from '../addresses/urls.ts'

const page = 'https://site.test/a/page'
const media = (html: string) => findMedia(parseHtml(html).root, makeBase(page))
const of = (source: string) => ({ sourceURL: page, source, kind: 'file' })
const jsonLd = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`

test('A video element has its sources, its poster and its size', () => {
  const html = `<video poster="p.jpg" title="A  film" width="640" height="360">
    <source src="v.webm" type="video/webm; codecs=vp9"><source src="/v.mp4" type="video/mp4"></video>
    <video data-src="later.mp4"></video><video src="blob:https://site.test/1"></video><video></video>`
  const shared = { ...of('element'), title: 'A film', thumbnail: 'https://site.test/a/p.jpg', width: 640, height: 360 }
  expect(media(html)).toEqual({
    videos: [
      { ...shared, url: 'https://site.test/a/v.webm', mimeType: 'video/webm' },
      { ...shared, url: 'https://site.test/v.mp4', mimeType: 'video/mp4' },
      { ...of('element'), url: 'https://site.test/a/later.mp4' },
    ],
    audios: [],
  })
})

test('OpenGraph names several videos, each with its properties', () => {
  const html = `<meta property="og:title" content="Film"><meta property="og:image" content="/i.png">
    <meta property="og:video" content="http://site.test/1.mp4"><meta property="og:video:secure_url" content="https://site.test/1.mp4">
    <meta property="og:video:type" content="video/mp4"><meta property="og:video:width" content="1280"><meta property="og:video:height" content="720">
    <meta property="og:video:url" content="https://site.test/player/2"><meta property="og:video:type" content="text/html">
    <meta name="og:audio" content="/1.mp3"><meta name="twitter:player:stream" content="/live.m3u8">`
  const shared = { ...of('opengraph'), title: 'Film', thumbnail: 'https://site.test/i.png' }
  expect(media(html)).toEqual({
    videos: [
      { ...shared, url: 'https://site.test/1.mp4', mimeType: 'video/mp4', width: 1280, height: 720 },
      { ...shared, url: 'https://site.test/player/2', mimeType: 'text/html', kind: 'embed' },
      { ...of('twitter'), url: 'https://site.test/live.m3u8', kind: 'stream' },
    ],
    audios: [{ ...of('opengraph'), url: 'https://site.test/1.mp3', title: 'Film' }],
  })
})

test('JSON-LD names media at any depth, also without a file but with a player', () => {
  const episode = {
    '@type': 'PodcastEpisode',
    name: 'One',
    associatedMedia: { '@type': 'MediaObject', contentUrl: '/e.mp3', encodingFormat: 'audio/mpeg' },
  }
  const film = {
    '@type': ['https://schema.org/VideoObject'],
    name: 'Film',
    contentUrl: 'https://cdn.test/f.mp4',
    embedUrl: 'https://cdn.test/player/f',
    thumbnailUrl: [{ '@type': 'ImageObject', url: 'https://cdn.test/f.jpg' }],
    duration: 'PT1H2M3.5S',
    width: { '@type': 'QuantitativeValue', '@value': '1920' },
    height: '1080px',
  }
  const shared = {
    ...of('json-ld'),
    title: 'Film',
    thumbnail: 'https://cdn.test/f.jpg',
    duration: 3723.5,
    width: 1920,
    height: 1080,
  }
  expect(media(jsonLd({ '@graph': [{ '@type': 'Article', video: film }, episode] }))).toEqual({
    videos: [
      { ...shared, url: 'https://cdn.test/f.mp4' },
      { ...shared, url: 'https://cdn.test/player/f', kind: 'embed' },
    ],
    audios: [{ ...of('json-ld'), url: 'https://site.test/e.mp3', mimeType: 'audio/mpeg' }],
  })
})

test('The same URL is listed once, as the first place names it, with what others add', () => {
  const html = `<video src="f.mp4" title="Mine"></video><meta property="og:video" content="f.mp4">
    ${jsonLd({ '@type': 'VideoObject', contentUrl: 'f.mp4', name: 'Other', duration: 'PT9S' })}`
  expect(media(html).videos).toEqual([
    { ...of('element'), url: 'https://site.test/a/f.mp4', title: 'Mine', duration: 9 },
  ])
})

test('Many or deep media are limited, and wrong values are omitted', () => {
  const many = Array.from({ length: 300 }, (_, at) => `<video src="${at}.mp4"></video>`).join('')
  expect(media(many).videos).toHaveLength(200)
  const deep = '{"a":'.repeat(5_000) + '{"@type":"VideoObject","contentUrl":"x.mp4"}' + '}'.repeat(5_000)
  expect(media(`<script type="application/ld+json">${deep}</script>`).videos).toEqual([])
  const wrong = { '@type': 'VideoObject', contentUrl: 'v.mp4', width: -5, height: 'tall', duration: 'long', name: 7 }
  expect(media(jsonLd(wrong)).videos).toEqual([{ ...of('json-ld'), url: 'https://site.test/a/v.mp4' }])
  expect(media(jsonLd({ '@type': 'VideoObject', contentUrl: 'javascript:x()' })).videos).toEqual([])
})
