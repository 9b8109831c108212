// Videos and audio files that a page names: in elements, in OpenGraph and Twitter tags, and in JSON-LD.
import { detached } from '../tree/detached.ts'
import { spendNothing, type Spend } from '../tree/output.ts'
import type { Element } from '../tree/tree.ts'
import { elementsOf, lineOf, textOf } from '../tree/walk.ts'
import { isRecord } from '../data/shape.ts'
import { readScriptJson } from '../data/json.ts'
import { resolveUrl, type Base } from '../addresses/urls.ts'

/** A video or an audio file. Unknown fields are absent. */
export interface FoundMedia {
  readonly url: string
  /** URL of the page. */
  readonly sourceURL: string
  /** Where the page names it. */
  readonly source: 'element' | 'opengraph' | 'twitter' | 'json-ld'
  /** A file, a playlist of a stream, or a page with a player. */
  readonly kind: 'file' | 'stream' | 'embed'
  readonly title?: string
  readonly thumbnail?: string
  /** In seconds. */
  readonly duration?: number
  readonly mimeType?: string
  readonly width?: number
  readonly height?: number
}

/** The media of a page, each once. */
export interface PageMedia {
  readonly videos: readonly FoundMedia[]
  readonly audios: readonly FoundMedia[]
}

type Group = 'videos' | 'audios'

/** Description of a medium before its URLs are resolved. */
interface Candidate {
  readonly group: Group
  readonly url: unknown
  readonly source: FoundMedia['source']
  readonly isPlayer?: boolean
  readonly title?: unknown
  readonly thumbnail?: unknown
  readonly duration?: number | undefined
  readonly mimeType?: unknown
  readonly width?: unknown
  readonly height?: unknown
}

const maxMedia = 200
const maxTitle = 500
const maxNodes = 20_000
const maxDepth = 20

/**
 * Returns the videos and audio files of a page with `http` or `https` URLs, at most 200 of each: from elements first, then from
 * meta tags, then from JSON-LD.
 */
export function findMedia(root: Element, base: Base, spend: Spend = spendNothing): PageMedia {
  const elements = elementsOf(root)
  const found: Readonly<Record<Group, Map<string, FoundMedia>>> = { videos: new Map(), audios: new Map() }
  for (const candidate of [...inElements(elements), ...inMeta(elements), ...inJsonLd(elements)]) {
    const media = describe(candidate, base)
    if (!media) continue
    const known = found[candidate.group]
    const other = known.get(media.url)
    if (!other && known.size >= maxMedia) continue
    if (!other) spend(media.url.length, 1)
    // The first source takes precedence; others only add missing fields.
    known.set(media.url, { ...media, ...other })
  }
  return { videos: [...found.videos.values()], audios: [...found.audios.values()] }
}

function* inElements(elements: readonly Element[]): Generator<Candidate> {
  for (const element of elements) {
    const player = element.name === 'source' ? element.parent : element
    if (player?.name !== 'video' && player?.name !== 'audio') continue
    const { attributes } = element
    const { title, 'aria-label': label, poster, width, height } = player.attributes
    yield {
      group: player.name === 'video' ? 'videos' : 'audios',
      source: 'element',
      url: attributes['src'] || attributes['data-src'],
      mimeType: attributes['type'],
      title: title || label,
      thumbnail: poster,
      ...(player.name === 'video' && { width, height }),
    }
  }
}

/** Yields media in OpenGraph and Twitter tags. Properties such as `og:video:width` apply to the last `og:video` before. */
function* inMeta(elements: readonly Element[]): Generator<Candidate> {
  const tags = elements.flatMap(({ name, attributes }) => {
    const property = (attributes['property'] ?? attributes['name'])?.trim().toLowerCase()
    return name === 'meta' && property && attributes['content'] ? [[property, attributes['content']] as const] : []
  })
  const first = (property: string): string | undefined => tags.find(([name]) => name === property)?.[1]
  for (const [type, group] of [
    ['video', 'videos'],
    ['audio', 'audios'],
  ] as const) {
    for (const properties of groupsOf(tags, `og:${type}`)) {
      const mimeType = properties.get('type')
      const common = { group, source: 'opengraph', title: first('og:title'), mimeType } as const
      const size = { width: properties.get('width'), height: properties.get('height') }
      const isPlayer = mimeType?.startsWith('text/html') === true
      const thumbnail = type === 'video' ? first('og:image') : undefined
      const url = properties.get('secure_url') ?? properties.get('url')
      yield { ...common, ...size, isPlayer, url, thumbnail }
    }
  }
  const size = { width: first('twitter:player:width'), height: first('twitter:player:height') }
  const twitter = { group: 'videos', source: 'twitter', title: first('twitter:title'), ...size } as const
  const mimeType = first('twitter:player:stream:content_type')
  yield { ...twitter, url: first('twitter:player:stream'), thumbnail: first('twitter:image'), mimeType }
}

function groupsOf(tags: readonly (readonly [string, string])[], name: string): Map<string, string>[] {
  const groups: Map<string, string>[] = []
  for (const [property, content] of tags) {
    if (property !== name && !property.startsWith(`${name}:`)) continue
    const part = property === name ? 'url' : property.slice(name.length + 1)
    const last = groups.at(-1)
    // `og:video` and `og:video:url` with the same value are one video.
    const isNext = part === 'url' && last?.has('url') === true && last.get('url') !== content
    if (last && !isNext) last.set(part, content)
    else groups.push(new Map([[part, content]]))
  }
  return groups
}

function* inJsonLd(elements: readonly Element[]): Generator<Candidate> {
  let nodes = 0
  for (const element of elements) {
    const isData = element.attributes['type']?.trim().toLowerCase() === 'application/ld+json'
    if (element.name !== 'script' || !isData) continue
    const open: { readonly value: unknown; readonly depth: number }[] = [
      { value: readScriptJson(textOf(element)), depth: 0 },
    ]
    for (let next = open.pop(); next && ++nodes <= maxNodes; next = open.pop()) {
      const { value, depth } = next
      if (typeof value !== 'object' || value === null || depth > maxDepth) continue
      if (isRecord(value)) yield* ofNode(value)
      for (const inner of Object.values(value).toReversed()) open.push({ value: inner, depth: depth + 1 })
    }
  }
}

function* ofNode(node: Readonly<Record<string, unknown>>): Generator<Candidate> {
  const types = [node['@type']].flat().map((type) => String(type).replace(/^.*[/#:]/, ''))
  const mimeType = node['encodingFormat'] ?? node['fileFormat']
  const isFile = types.includes('MediaObject') && typeof mimeType === 'string'
  const isVideo = types.includes('VideoObject') || (isFile && mimeType.startsWith('video/'))
  if (!isVideo && !types.includes('AudioObject') && !(isFile && mimeType.startsWith('audio/'))) return
  const common = {
    group: isVideo ? 'videos' : 'audios',
    source: 'json-ld',
    title: node['name'],
    thumbnail: node['thumbnailUrl'] ?? node['thumbnail'],
    duration: secondsOf(node['duration']),
    width: node['width'],
    height: node['height'],
  } as const
  yield { ...common, url: node['contentUrl'], mimeType }
  yield { ...common, url: node['embedUrl'], isPlayer: true }
}

function describe({ url: given, source, isPlayer = false, ...more }: Candidate, base: Base): FoundMedia | undefined {
  const url = urlOf(given, base)
  if (url === undefined) return undefined
  const title = lineOf(textIn(more.title) ?? '').slice(0, maxTitle)
  const thumbnail = urlOf(more.thumbnail, base)
  const mimeType = textIn(more.mimeType)?.trim().split(/[\s;]/, 1)[0]?.toLowerCase()
  const [width, height] = [pixelsOf(more.width), pixelsOf(more.height)]
  return {
    url,
    sourceURL: base.page || base.href,
    source,
    kind: isPlayer ? 'embed' : isStream(url, mimeType) ? 'stream' : 'file',
    ...(title !== '' && { title: detached(title) }),
    ...(thumbnail !== undefined && { thumbnail }),
    ...(more.duration !== undefined && { duration: more.duration }),
    ...(mimeType && /^[a-z]+\/[\w.+-]{1,100}$/.test(mimeType) && { mimeType: detached(mimeType) }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  }
}

function isStream(url: string, mimeType = ''): boolean {
  return /\/(?:dash\+xml|(?:x-|vnd\.apple\.)mpegurl)$/.test(mimeType) || /\.(?:m3u8|mpd)(?:[?#]|$)/i.test(url)
}

/** Returns the first string of a value, which JSON-LD may wrap in arrays and objects. */
function textIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth > 3) return undefined
  if (Array.isArray(value)) return textIn(value[0], depth + 1)
  const node = value as Readonly<Record<string, unknown>>
  return textIn(node['@value'] ?? node['url'] ?? node['contentUrl'] ?? node['@id'], depth + 1)
}

function urlOf(value: unknown, base: Base): string | undefined {
  const text = textIn(value)?.trim()
  if (!text || /^(?:data|blob|about|javascript):/i.test(text)) return undefined
  const url = resolveUrl(text, base)
  return url !== undefined && /^https?:/.test(url) ? detached(url) : undefined
}

function pixelsOf(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : textIn(value)
  const digits = /^\s*(\d{1,5})(?:\.\d+)?(?:\s*px)?\s*$/.exec(text ?? '')?.[1]
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits)
}

/** Returns the seconds of an ISO 8601 duration such as `PT1H2M3.5S`. */
function secondsOf(value: unknown): number | undefined {
  const text = textIn(value)?.trim().slice(0, 100) ?? ''
  const parts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i.exec(text)
  if (!parts) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0))
  const total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
  return total > 0 ? total : undefined
}
