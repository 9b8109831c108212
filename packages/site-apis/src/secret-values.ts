// How to recognize names and values that are probably secret.
import type { Json } from '@harvestman/ports'
import { secretParameters } from '@harvestman/toolbox/secret-names'

const maxName = 200
const minOpaque = 12
const minHeader = 20
const mediaType =
  /^(?:application|audio|font|image|message|model|multipart|text|video)\/[a-z\d.+-]{1,60}(?:;[\w=.+-]*)?$/i

// The exceptions are usual parameters: author, keyword, keyboard.
const secretPart = /auth(?!or(?!i))|token|key(?!word|board|note|stone|frame)|secret|csrf|xsrf|session|sessid|sign|nonce/
// Words about other things than signatures: design, assignee, consignee, signal, significant.
const noSignature = /^(?:re)?(?:design|assign|consign|signal|signific)/
// Names of values that people remember. They may be short, or numbers.
const secretWord =
  /(?:^|_)(?:pass|pin|sid|sig|hmac|pw|psw|creds?|bearer)(?:_|$)|passw|pwd|pass_?(?:code|phrase)|user_?pass|pin_?code|^code$|(?:verification|security|login|access|invite|reset)_?code/
const secretParameter = new Set(secretParameters.map(wordsOf))

/** Returns whether a value with this name is probably secret. Names with more than 200 characters are. */
export function isSecretName(name: string): boolean {
  if (name.length > maxName || isPasswordName(name)) return true
  return wordsOf(name)
    .split('_')
    .some((word) => secretPart.test(word.replace(noSignature, '')))
}

/** Returns whether this is probably the name of a password, a PIN or the like, which can be a number. */
export function isPasswordName(name: string): boolean {
  const words = wordsOf(name)
  return secretWord.test(words) || [words, ...words.split('_')].some(isSecretParameter)
}

const isSecretParameter = (name: string): boolean => secretParameter.has(name)

/** Converts a name to lower case with underscores between its words: `userPwd` and `user-pwd` become `user_pwd`. */
function wordsOf(name: string): string {
  return name
    .slice(0, maxName)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .toLowerCase()
}

/** Returns whether a value can be a token, a signature or a time, so that a recipe must not contain it. */
export function isOpaque(value: Json): value is string | number {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const text = String(value)
  if (/^\d{10}(?:\d{3})?$/.test(text)) return true
  if (text.length < minOpaque || /[\s{}<>]/.test(text)) return false
  return /\d/.test(text) && /[a-z]/i.test(text)
}

/** Returns whether the value of a header can be a secret: long words are, even without digits. */
export function isOpaqueHeader(value: string): boolean {
  // The annotation keeps the type of the value.
  const isToken: boolean = isOpaque(value)
  return isToken || (value.length >= minHeader && !/\s/.test(value) && !mediaType.test(value))
}
