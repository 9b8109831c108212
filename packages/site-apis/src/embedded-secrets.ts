// Secrets inside string values of a request: in JSON, such as the parameter `variables` of GraphQL, and in GraphQL documents.
import { parseJson } from '@harvestman/toolbox/parse-json'

import { isOpaque, isPasswordName, isSecretName } from './secret-values.ts'

const maxLevels = 3

/**
 * Returns whether a string is JSON with a secret name or value, at most 3 strings deep, or contains a literal such as
 * `token: "value"` with a secret name. Values in `known` are not secret.
 */
export function hasEmbeddedSecret(text: string, known: ReadonlySet<string> = new Set(), level = 1): boolean {
  if (!/^\s*[[{"]/.test(text)) return hasSecretLiteral(text)
  const parsed = parseJson(text)
  if (parsed === undefined) return hasSecretLiteral(text)
  return level > maxLevels || hasSecretIn(parsed, known, level)
}

const literal = /\b([A-Za-z_]\w{0,200})["']?\s{0,20}[:=]\s{0,20}(?:"""|"(?!"))(?:\\[\s\S]|[^"\\]){1,8000}"/g

function hasSecretLiteral(text: string): boolean {
  return [...text.matchAll(literal)].some(([, name = '']) => isSecretName(name))
}

/** Part of a JSON document. */
interface Part {
  readonly value: unknown
  readonly name: string
  readonly parent: string
  /** Whether an object that contains it has the name of a password. */
  readonly isPassword: boolean
}

/** Visits all values, so that none is missed in a large or deep document. The length of the string limits the work. */
function hasSecretIn(root: unknown, known: ReadonlySet<string>, level: number): boolean {
  const waiting: Part[] = [{ value: root, name: '', parent: '', isPassword: false }]
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    const { value, name, isPassword } = part
    if (typeof value !== 'object' || value === null) {
      if (isSecretLeaf(part, known, level)) return true
      continue
    }
    const isList = Array.isArray(value)
    for (const [key, inner] of Object.entries(value)) {
      // Items of a list have the name of the list.
      const own = isList ? name : key
      const parent = isList ? part.parent : name
      waiting.push({ value: inner, name: own, parent, isPassword: isPassword || (!isList && isPasswordName(key)) })
    }
  }
  return false
}

function isSecretLeaf({ value, name, parent, isPassword }: Part, known: ReadonlySet<string>, level: number): boolean {
  if (typeof value === 'number') return isPassword || isOpaque(value)
  if (typeof value !== 'string' || value === '') return false
  if (isPassword || isSecretName(name)) return true
  // The name of a persisted GraphQL query.
  if (parent === 'persistedQuery' && name === 'sha256Hash' && /^[\da-f]{64}$/.test(value)) return false
  return (isOpaque(value) && !known.has(value)) || hasEmbeddedSecret(value, known, level + 1)
}
