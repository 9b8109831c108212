import { lineOf } from '../tree/walk.ts'

// Extracts the names of people from an author string: "By JANE DOE, Reporter", "Ann Lee and Bob Ray", "Ann Lee | AP".

const prefix =
  /^(?:(?:(?:words|story|article|text|photos?|reporting|analysis|opinion|review|column)\s+)?(?:(?:written|posted|post|published|reported|created|authored|submitted|reviewed|contributed|edited)\s+)?by(?=[\s:])|von(?=\s)|(?:écrit\s+|publié\s+|rédigé\s+)?par(?=\s)|(?:escrito\s+|publicado\s+)?por(?=\s)|(?:scritto\s+)?(?:di|da)(?=\s+\p{Lu})|door(?=\s)|skrevet\s+av|av(?=\s)|af(?=\s)|(?:napisał[a]?|przez)(?=\s)|author|authors|autor(?:in|a|es)?|auteurs?|autore|автор|yazan|yazar|oleh|penulis|szerző|tác giả|作者|文|筆者|著者|글|κείμενο|نویسنده|بقلم|كتب|مؤلف|מאת|โดย)\s*[:：]?\s*/iu

/** Matches what ends a name: an agency, a place, a day, a handle. */
const end =
  /\s*(?:[|•·»]|\s[-–—]{1,2}\s|\s\/\s|\s(?:for|at|of|from|in|on|via|with)\s+(?:the\s+)?(?=\p{Lu}|\d)|\((?!\p{Lu}[\p{Ll}.]+\)\s\p{Lu})|\s(?:published|updated|posted|last|special to|staff|contributing|senior|chief|is a|is an|is the|est|ist)\b|@|https?:|\d{1,2}[./-]\d|\d{4})/iu

const apart =
  /\s*(?:;|\s&\s|\s\+\s|\s(?:and|und|et|y|e|en|og|och|ja|i|и|та|ve|dan|și|és|και|و)\s(?=\s*\p{L}[\p{L}'’.-]+(?:\s|$))|、|，|；)\s*/u

/** Matches degrees after a name (MD, Ph.D., CFP®), which are part of it. */
const degree =
  /^(?:Ph\.?\s?D\.?|(?:[A-Z]{1,3}\.?-?){1,4}[®™]?|[A-Z]{2,8}(?:[-\s]?[A-Z\d]{1,5})*[®™]?|Jr\.?|Sr\.?|I{2,3}|IV|Esq\.?|M\.?Sc\.?|B\.?Sc\.?|Dr\.?|MPhil|PharmD|PsyD|DPhil|EdD)$/

const role =
  /\b(?:reporters?|writers?|editors?|editorial|correspondents?|contributors?|columnists?|producers?|photographers?|journalists?|freelancers?|staff|team|desk|newsroom|director|manager|founder|co-founder|ceo|cto|officer|president|professor|lecturer|expert|specialist|analyst|consultant|editor-in-chief|intern|bureau|chief|head|author|coach|redakteur(?:in)?|redaktion|redacción|redação|redazione|rédaction|redactie|redaktor|journaliste?|periodista|giornalista)\b/iu

const agency =
  /^(?:the )?(?:associated press|ap|ap news|canadian press|press association|pa media|reuters|thomson reuters|afp|agence france-presse|agence france presse|dpa|efe|ansa|upi|xinhua|tass|bloomberg|bloomberg news|getty images|kyodo|yonhap|pti|ians|ani)$/iu

/** Matches a name and an agency without a separator, as in "Ann Lee The Associated Press". */
const agencyAfter =
  /^(\S+(?: \S+){1,2}?) (?:the )?(?:associated press|canadian press|reuters|afp|bloomberg(?: news)?)$/iu

/** Returns whether a name is a known news agency, and so not a person. */
export const isAgency = (name: string): boolean => agency.test(name)

/** Matches names of accounts and roles. */
const nobody =
  /^(?:admin(?:istrator|istrador)?|site ?admin|web ?admin|super ?admin|web ?master|root|staff|staff (?:writer|reporter|report|reports|author|editor)|editors?|the editors?|editorial|editorial staff|news ?(?:desk|room)?|reporter|web ?(?:desk|editor|team)|guest(?: (?:author|blogger|contributor|post|writer))?|contributors?|contributing writer|author|authors|the author|writer|unknown|anonymous|anon|nobody|none|null|undefined|n ?\/ ?a|test|user|username|member|moderator|default|press release|redaktion|redaktor|redacción|redação|redazione|la rédaction|rédaction|redactie|redactia|editor|author name|your name|name|view all posts|by|team|the team|content team|marketing|marketing team|blog|home|website|wordpress|shopify api|shopify|wix|editor team|agencies|agency|wire|pti|ians)$/iu

const address = /\S+@\S+\.\S+|https?:\/\/\S+|www\.\S+|\b[\w-]+\.(?:com|org|net|de|uk|io|co)\/\S*/giu
const maxNameLength = 60
const maxNames = 50

/** Returns whether a string can be the name of a person, a group or an account. */
export function isName(name: string): boolean {
  if (name.length < 2 || name.length > maxNameLength || !/\p{L}{2}/u.test(name)) return false
  if (nobody.test(name) || /^[@#/]|[{}<>[\]_=%$*]{2}|\{\{|\?|!$/.test(name)) return false
  return name.split(' ').length <= 7
}

/** Returns whether a string has the form of a person's full name. */
export function isFullName(name: string): boolean {
  return /^(?:\p{Lu}[\p{L}\p{M}'’.-]*|\p{Lo}+)(?:\s+(?:\p{Lu}[\p{L}\p{M}'’.-]*|\p{Lo}+|\(\p{L}+\)|d[aeiou]s?|del|della|van|von|der|den|la|le|el|bin|ibn|al|ten|ter|y)){1,5}$/u.test(
    name,
  )
}

/**
 * Returns the distinct names in the first 2,000 characters of an author string, at most 50, without prefixes and roles. Empty
 * if there are none.
 */
export function peopleIn(text: string): readonly string[] {
  const line = lineOf(text.slice(0, 2_000)).replace(/^[\s•·|:–—-]+/, '')
  const plain = lineOf(withoutPrefix(line).replaceAll(address, ' '))
  // The name is missing, as in ", Staff Reporter".
  if (plain === '' || plain.startsWith(',')) return []
  return distinct(namesIn(plain).map(asName).filter(isName)).slice(0, maxNames)
}

/** Converts "Doe, Jane", the form in catalogues of papers, to "Jane Doe". Any other string is unchanged. */
export function inOrder(text: string): string {
  const [, last, first] = /^([^,;]+),\s*([^,;]+)$/.exec(text.trim()) ?? []
  return last === undefined || first === undefined || degree.test(first) ? text : `${first} ${last}`
}

function withoutPrefix(text: string): string {
  const once = text.replace(prefix, '')
  return once.replace(prefix, '')
}

/**
 * Splits a line at commas and conjunctions, and appends degrees to the name before them. After a full name, only other
 * full names count; anything else is a role or a place.
 */
function namesIn(line: string): readonly string[] {
  const names: string[] = []
  for (const group of line.split(apart)) {
    for (const part of group.split(/\s*,\s*(?:(?:and|und|et|y|e)\s+)?/u)) {
      const before = names.at(-1)
      if (before !== undefined && degree.test(part)) names[names.length - 1] = `${before}, ${part}`
      else if (before === undefined || !role.test(part)) {
        const name = withoutRole(part.split(end, 1)[0]!.trim().replace(agencyAfter, '$1'))
        if (name !== '' && (before === undefined || isFullName(name) || !before.includes(' '))) names.push(name)
      }
    }
  }
  return names
}

/** Removes a role after a full name without a comma: "Ann Lee Senior Reporter". */
function withoutRole(name: string): string {
  const words = name.split(' ')
  const at = words.findIndex((word, index) => index >= 2 && role.test(word))
  if (at < 0) return name
  const first = words.findIndex((word, index) => index >= 2 && index <= at && !/^\p{Lu}\.?$/u.test(word))
  return words.slice(0, Math.max(2, first)).join(' ')
}

function asName(text: string): string {
  const name = text.replace(/^["'“”‘’\s:.-]+|["“”\s:,-]+$/gu, '').replace(/^(.{4,}) \1$/u, '$1')
  const letters = name.replaceAll(/\P{L}/gu, '')
  const isShouted =
    name.includes(' ') && letters.length > 5 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
  return isShouted && !name.includes(',') ? name.replaceAll(/\p{L}+(?:['’](?=s\b)s)?/giu, capitalized) : name
}

function capitalized(word: string): string {
  return word.length > 3 || /[AEIOUYÄÖÜ]/u.test(word) ? word[0]! + word.slice(1).toLowerCase() : word
}

function distinct(names: readonly string[]): string[] {
  return [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()].toReversed()
}
