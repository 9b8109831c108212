import type { Find, Span } from './span.ts'

// Keys and tokens with the prefix of their issuer.
const issued: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['AWS key', /(?<![A-Z\d])(?:AKIA|ASIA)[A-Z\d]{16}(?![A-Z\d])/g],
  ['GitHub token', /(?<!\w)(?:gh[pousr]_\w{36,255}|github_pat_\w{22,255})/g],
  ['GitLab token', /(?<!\w)glpat-[\w-]{20,64}/g],
  ['Slack token', /(?<!\w)xox[abeprs]-[\w-]{10,250}/g],
  ['Stripe key', /(?<!\w)(?:sk|rk|whsec)_(?:(?:live|test)_)?[A-Za-z\d]{20,200}/g],
  ['model key', /(?<![\w-])sk-(?:[a-z]{2,8}\d{0,2}-)?[\w-]{20,200}/g],
  ['Google key', /(?<!\w)AIza[\w-]{35}(?![\w-])/g],
  ['npm token', /(?<!\w)npm_[A-Za-z\d]{36}(?!\w)/g],
  ['SendGrid key', /(?<!\w)SG\.[\w-]{16,32}\.[\w-]{16,64}/g],
  ['JSON web token', /(?<!\w)eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,1000}/g],
]

const labelled =
  /(?<!\p{L})(?:pass(?:word|wd|phrase|code)?|pwd|passwort|kennwort|contraseña|contrasena|mot de passe|senha|hasło|lösenord|wachtwoord|secret(?:[ _-]?key)?|api[ _-]?(?:key|secret|token)|access[ _-]?(?:key|token)|auth(?:entication)?[ _-]?token|client[ _-]?secret|bearer|token)(?:["'`*]{0,3}\s?[:=]{1,2}\s?|\s(?:is|lautet|es|est|è)\s|(?<=bearer)\s)["'`*]{0,3}([^\s"'`<>|,;(){}[\]]{6,200})/giu
const inUrl = /:\/\/([^\s/:@"'<>]{1,64}:[^\s/:@"'<>]{3,128})@/g
const blockStart = '-----BEGIN '

/** Finds private keys, issued keys and tokens, passwords in URLs, and values after a label such as `password:`. */
export const findSecrets: Find = (text) => {
  const spans: Span[] = findBlocks(text)
  const add = (start: number, length: number, kind: string): void =>
    void spans.push({ start, end: start + length, entity: 'SECRET', kind })
  for (const [kind, pattern] of issued)
    for (const { 0: match, index } of text.matchAll(pattern)) if (isMixed(match)) add(index, match.length, kind)
  for (const { 0: match, 1: value = '', index } of text.matchAll(labelled)) {
    const trimmed = value.replace(/[.?]+$/, '')
    if (isPassword(trimmed)) add(index + match.length - value.length, trimmed.length, 'labelled secret')
  }
  for (const { 1: value = '', index } of text.matchAll(inUrl)) add(index + 3, value.length, 'password in a URL')
  return spans
}

function findBlocks(text: string): Span[] {
  const spans: Span[] = []
  for (let start = text.indexOf(blockStart); start >= 0; start = text.indexOf(blockStart, start + 1)) {
    if (!/^-----BEGIN [A-Z ]{0,30}PRIVATE KEY/.test(text.slice(start, start + 60))) continue
    const last = text.indexOf('-----END ', start)
    const line = last < 0 ? -1 : text.indexOf('-----', last + 9)
    // An unclosed block extends to the end.
    const end = line < 0 ? text.length : line + 5
    spans.push({ start, end, entity: 'SECRET', kind: 'private key' })
    start = end - 1
  }
  return spans
}

/** Returns whether a value contains both digits and letters, like generated keys. */
function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value)
}

/** Returns whether the value after a label looks like a password, not like a word, a placeholder, a path or a measurement. */
function isPassword(value: string): boolean {
  if (
    value.length < 6 ||
    /^(?:https?:|\/|\$|%|\.)|\.(?:com|org|html?|php)\b|^x+$|\*{3}|\.{3}|your|example|placeholder/i.test(value)
  )
    return false
  return /\d/.test(value) && /\p{L}/u.test(value) && !/^\d+(?:px|em|ms|s|%)$/.test(value)
}
