import { afterHeading, type SeenPage, type Spot, type Sight } from './spots.ts'

// Who wrote the text, as a line near its heading says.

const byWords =
  /^(?:(?:written|posted|published|reported|reviewed)\s+by|words by|story by|by|von|par|por|di|da|door|av|af|przez|text|texte|texto|autor(?:in)?|author|auteur|autore|автор|yazan|oleh)\s*[:：]?\s+/i
const marked =
  /\b(?:author|authors|byline|bylines|writer|contributor|autor|auteur|autore|verfasser|reporter|journalist)\b/
const namedMark = /\b(?:name|link|fn|url|title)\b/
const elsewhere =
  /\b(?:related|recommend\w*|comment\w*|reply|replies|carousel|slider|swiper|footer|nav|menu|aside|sidebar|widget|card|teaser|trending|popular|latest|more|share|social|caption|figcaption|photo|credit|image|quote|blockquote|testimonial|read next|newsletter|bio|description)\b/
const notName =
  /\b(?:read|more|share|follow|view|posts?|articles?|about|subscribe|comments?|updated|published|min|ago|staff writer|editor|photo|image|images|getty|copyright|home|news|blog|author|authors|contact|sign|log|january|february|march|april|june|july|august|september|october|november|december|written|reviewed|all|this|the|your|our|and)\b/i
const word = String.raw`(?:\p{Lu}[\p{L}\p{M}'’.-]*|de|da|di|del|della|van|von|der|den|la|le|el|bin|al|du|dos|do|ten|ter)`
const name = new RegExp(String.raw`^\p{Lu}[\p{L}\p{M}'’.-]+(?:\s+${word}){0,4}$|^\p{Lo}{2,8}$`, 'u')

const leastScore = 3.5

/** The author that a line near the heading names. */
export function seenAuthor(page: SeenPage): Sight | undefined {
  const found = page.spots.flatMap((spot) => {
    const value = nameIn(spot)
    const score = value === undefined ? 0 : scoreOf(page, spot, value)
    return value !== undefined && score >= leastScore
      ? [{ value, element: spot.element, score, place: spot.place }]
      : []
  })
  const [best] = found.toSorted((one, other) => other.score - one.score || one.place - other.place)
  if (!best) return undefined
  return { value: best.value, element: best.element, confidence: Math.min(0.95, 0.55 + best.score / 20) }
}

function nameIn(spot: Spot): string | undefined {
  const { words } = spot
  if (words.length > 90) return undefined
  const text = words.replace(byWords, '').replace(byWords, '')
  const [first = ''] = text.split(
    /\s*(?:[|•·,;(@]| [-–—] |\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|For|Staff|Updated|Published)\b|\s(?:on|in|am|le|el|at)\s(?=\p{L}*\s?\d)|\d)/u,
  )
  const plain = first.replace(/[\s:.–-]+$/, '').trim()
  return plain.length >= 3 && plain.length <= 50 && name.test(plain) && !notName.test(plain) && isMarked(spot)
    ? plain
    : undefined
}

const isMarked = ({ words, around }: Spot): boolean => byWords.test(words) || marked.test(around)

function scoreOf(page: SeenPage, spot: Spot, value: string): number {
  const near = spot.around.split(' / ').slice(0, 4).join(' / ')
  let score = 0
  if (marked.test(spot.own)) score += 2
  else if (marked.test(near)) score += 1.5
  if (namedMark.test(spot.own)) score += 0.25
  if (byWords.test(spot.words)) score += 2
  if (/\ba .*\bauthor\b/.test(spot.own)) score += 0.5
  score += value.includes(' ') ? 0.75 : -1
  if (value.split(' ').length > 3) score -= 0.75
  if (elsewhere.test(spot.around)) score -= 2
  const distance = afterHeading(page, spot)
  if (distance === undefined) return score
  if (distance > 0) score += distance < 40 ? 2 : distance < 120 ? 1 : 0
  else score += distance > -40 ? 1.25 : -1
  return score
}
