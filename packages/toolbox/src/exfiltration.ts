// URLs that carry content out of a conversation with a model.

const names =
  'conversation|dialog(?:ue)?|chat|transcript|history|messages?|prompt|context|memory|memories|instructions?|secrets?|credentials?|' +
  'passwords?|cookies|(?:user|customer|private|personal|session|email|file)[ _+-]?' +
  '(?:data|info|inputs?|messages?|quer(?:y|ies)|questions?|prompts?|emails?|details|history|contents?)|everything[ _+-]above'
const words = String.raw`(?:[a-z]+[ _+-]){0,4}`
/** A placeholder that a model would replace, such as `{conversation}`, `[USER_DATA]` or `<summary of the chat>`. */
const placeholder = new RegExp(
  String.raw`(?:\{\{?|\$\{|\[{1,2}|<<?|%\()\s*${words}(?:${names})(?:[ _+-][a-z]+){0,4}\s*(?:\}\}?|\]{1,2}|>>?|\))`,
  'i',
)
/** Values such as `INSERT_CONVERSATION_HERE`. */
const instruction = new RegExp(String.raw`=(?:insert|put|paste|append|encode)[ _+-]${words}(?:${names})(?![a-z])`, 'i')

/**
 * Returns whether a URL has a placeholder for content of the conversation, such as `?q={conversation}`. False for URLs of more
 * than 4,000 characters.
 */
export function asksForContent(url: string): boolean {
  if (url.length > maxUrl) return false
  const text = decoded(url)
  const from = text.search(/[/?#]/)
  return from >= 0 && (placeholder.test(text.slice(from)) || instruction.test(text.slice(from)))
}

const maxUrl = 4_000

/** Number of consecutive words that count as a copy of a text. */
const copied = 4

/**
 * Returns whether the host or the path of a URL contains what looks like copied or encoded content: four consecutive words of
 * one of the texts, or a run of 24 or more letters and digits. User names, passwords and query strings are not read.
 */
export function carriesContent(url: URL, texts: readonly string[]): boolean {
  const path = decoded(`${url.hostname.replaceAll('.', ' ')} ${url.pathname}`)
  if (path.split(/[^\w+=-]+/).some(isEncoded)) return true
  const parts = wordsOf(path)
  if (parts.length < copied) return false
  const runs = new Set<string>()
  for (let at = 0; at + copied <= parts.length; at += 1) runs.add(parts.slice(at, at + copied).join(' '))
  return texts.some((text) => {
    const joined = ` ${wordsOf(text).join(' ')} `
    return [...runs].some((run) => joined.includes(` ${run} `))
  })
}

/** Returns whether a token looks like Base64 or hexadecimal: long, with digits and letters, and not words joined by hyphens. */
function isEncoded(token: string): boolean {
  if (token.length < 24 || !/\d/.test(token) || !/[a-z]/i.test(token)) return false
  return token.split(/[-_]/).some((part) => part.length >= 24 && /\d/.test(part) && /[a-z]/i.test(part))
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
