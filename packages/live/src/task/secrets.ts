import { EngineError, isRecord, type LiveAction } from '@harvestman/ports'
import type { TaskAction } from './actions.ts'

/** A value that replaces its placeholder, `{{name}}`, on one origin only. It is never sent to a model or recorded. */
export interface Secret {
  readonly name: string
  readonly value: string
  /** Origin, such as `https://shop.example`. */
  readonly origin: string
}

/** Called with the secret that a step is about to fill in, and with `undefined` after each step. */
export type OnSecret = (secret: Secret | undefined) => void

const placeholder = /\{\{\s*([\w-]{1,64})\s*\}\}/g
const onlyPlaceholder = new RegExp(`^${placeholder.source}$`)

/** Throws `invalid_request` if a string has a placeholder without a secret, which would otherwise be typed literally. */
export function checkPlaceholders(where: string, texts: readonly string[], secrets: readonly Secret[]): void {
  const unknown = namesOfSecrets(texts).find((name) => !secrets.some((one) => one.name === name))
  if (unknown === undefined) return
  throw new EngineError(
    'invalid_request',
    `${where} has the placeholder {{${unknown}}}, and no secret has this name. Add it to "secrets" (--secret of the command), or remove the braces.`,
  )
}

function textsOf(action: TaskAction): readonly string[] {
  return Object.values(action).filter((value) => typeof value === 'string')
}

/** Returns the names of the placeholders in strings. */
export function namesOfSecrets(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => [...text.matchAll(placeholder)].map(([, name = '']) => name))
}

/** Returns the secret of the first placeholder in an action; `undefined` if it has none, or its name is unknown. */
export function findSecret(action: TaskAction, secrets: readonly Secret[]): Secret | undefined {
  const [name] = namesOfSecrets(textsOf(action))
  return secrets.find((one) => one.name === name)
}

/**
 * Returns a `fill` action with the secret in place of its placeholder. An action without a placeholder is returned unchanged.
 * Throws `action_failed` if the secret is unknown, if another action has a placeholder, or if the value contains more than the
 * placeholder.
 */
export function withSecret(action: TaskAction, secrets: readonly Secret[]): TaskAction | LiveAction {
  const [name] = namesOfSecrets(textsOf(action))
  if (name === undefined) return action
  const secret = findSecret(action, secrets)
  if (!secret)
    throw new EngineError(
      'action_failed',
      `No secret is named ${name}, so {{${name}}} is not typed. Give the text itself.`,
    )
  const isOnlySecret = action.type === 'fill' && onlyPlaceholder.test(action.text.trim())
  if (!isOnlySecret)
    throw new EngineError('action_failed', `{{${secret.name}}} can only be filled in, as the whole text of a field.`)
  return { ...action, text: secret.value, onlyOn: secret.origin }
}

/**
 * Returns text from the page, where fields show secrets, with placeholders in their place. Secrets are also found in JSON, and in
 * JSON in a string of JSON.
 */
export function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  return secrets.reduce((rest, { name, value }) => {
    if (value === '') return rest
    const [once, twice] = [quoted(value), quoted(quoted(value))]
    // The longest first: it may contain the others.
    return [twice, once, value].reduce((one, form) => one.replaceAll(form, () => `{{${name}}}`), rest)
  }, text)
}

/** Returns the value with the escapes of JSON. */
function quoted(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}

/** Returns a JSON value from the page without secrets in its strings and names. It must not be nested deeply. */
export function jsonWithoutSecrets<T>(value: T, secrets: readonly Secret[]): T {
  const hidden = (one: unknown): unknown => {
    if (typeof one === 'string') return withoutSecrets(one, secrets)
    if (Array.isArray(one)) return one.map(hidden)
    if (!isRecord(one)) return one
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [withoutSecrets(name, secrets), hidden(part)]))
  }
  // Cast: values keep their type.
  return (secrets.length === 0 ? value : hidden(value)) as T
}
