import type { SearchHit, SearchQuery, SearchTime } from '@harvestman/ports'

import { searchFailed } from '../faults.ts'

/** The fields of a result that are used. An instance may omit any of them or send other types. */
interface Result {
  readonly url?: unknown
  readonly title?: unknown
  readonly content?: unknown
  readonly publishedDate?: unknown
  readonly img_src?: unknown
  readonly thumbnail?: unknown
  readonly thumbnail_src?: unknown
  readonly resolution?: unknown
}

/**
 * Returns the hits of a response, without hits that have no URL or a date outside of the requested range. Throws
 * `search_failed` if it has no list of results.
 */
export function hitsIn(answer: unknown, query: SearchQuery): readonly SearchHit[] {
  const results = typeof answer === 'object' && answer !== null && 'results' in answer ? answer.results : undefined
  if (!Array.isArray(results))
    throw searchFailed('bad_answer', 'The response of SearXNG has no list of results. Check its endpoint.')
  return results.flatMap((result: unknown) => hitOf(result, query) ?? [])
}

function hitOf(result: unknown, { source, time }: SearchQuery): SearchHit | undefined {
  if (typeof result !== 'object' || result === null) return undefined
  const { url, title, content, publishedDate, resolution, ...rest }: Result = result
  if (typeof url !== 'string' || url === '') return undefined
  const date = textOf(publishedDate)
  if (!isWithin(date, time)) return undefined
  const image = source === 'images' ? (rest.img_src ?? rest.thumbnail_src) : (rest.thumbnail ?? rest.img_src)
  const imageUrl = addressOf(image)
  return {
    url,
    title: textOf(title) ?? '',
    description: textOf(content),
    date,
    imageUrl,
    ...(imageUrl !== undefined && sizeIn(resolution)),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Adds the scheme, which some engines omit. */
function addressOf(value: unknown): string | undefined {
  const text = textOf(value)
  return text?.startsWith('//') ? `https:${text}` : text
}

/** Parses the image size, which engines write as `640 x 480`, `640×480` or `640*480 px`. */
function sizeIn(resolution: unknown): Pick<SearchHit, 'imageWidth' | 'imageHeight'> {
  const [, width, height] = /(\d{1,6})\s*[x×*]\s*(\d{1,6})/i.exec(textOf(resolution) ?? '') ?? []
  return width === undefined ? {} : { imageWidth: Number(width), imageHeight: Number(height) }
}

/** SearXNG supports time spans but not dates, so dates are checked here. Hits without a date pass. */
function isWithin(date: string | undefined, time: SearchTime | undefined): boolean {
  if (date === undefined || !time || 'within' in time) return true
  const day = date.slice(0, 10)
  return (time.from === undefined || day >= time.from) && (time.to === undefined || day <= time.to)
}
