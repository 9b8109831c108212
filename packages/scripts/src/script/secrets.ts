// Secrets of a script. They are passed with each run, only filled in as full values, and never stored or reported.
import { EngineError } from '@harvestman/ports'

import { textsIn } from './parameters.ts'
import { scriptSchema, type Script, type Step, type Values } from './schema.ts'
import { fillPlaceholders } from './template.ts'

/** Shorter values occur in other text by chance. Redacting them there would reveal more than it hides. */
const minHidden = 4

/**
 * Returns a function that replaces the secrets of a run by `{{name}}`, also in their percent-encoded form. Secrets of fewer
 * than 4 characters are replaced only if they are the full string, apart from white space.
 */
export function hiderOf({ parameters }: Script, values: Values): (text: string) => string {
  const secrets = Object.entries(values)
    .flatMap(([name, value]) => (parameters[name]?.secret === true ? [value].flat().map((one) => [name, one]) : []))
    .toSorted(([, a = ''], [, b = '']) => b.length - a.length)
  return (text) => secrets.reduce((rest, [name = '', value = '']) => hidden(rest, value, `{{${name}}}`), text)
}

function hidden(text: string, value: string, by: string): string {
  if (value === '') return text
  if (value.length < minHidden) return text.trim() === value ? by : text
  return text.replaceAll(value, () => by).replaceAll(encodeURIComponent(value), () => by)
}

/** Returns the name of the secret that a step fills in; `undefined` if it fills in none. */
export function secretOf({ parameters }: Pick<Script, 'parameters'>, { value }: Step): string | undefined {
  const name = typeof value === 'string' ? /^\{\{([\w-]+)\}\}$/.exec(value)?.[1] : undefined
  return name !== undefined && parameters[name]?.secret === true ? name : undefined
}

/**
 * Returns the script with parameters marked as secrets, and without the labels, surrounding texts and expected texts that
 * contain one. Throws `invalid_request` if a name is not a parameter, or if the value of one is still in another part of the
 * script.
 */
export function withSecrets(script: Script, values: Values, secrets: readonly string[]): Script {
  const parameters = { ...script.parameters }
  for (const name of secrets) {
    const known = parameters[name]
    if (typeof values[name] !== 'string' || !known)
      throw new EngineError('invalid_request', `"${name.slice(0, 64)}" of "secrets" is not one of "parameters".`)
    parameters[name] = { ...known, secret: true, origin: known.origin ?? originOf(script.start, values) }
  }
  const hasSecret = (text: string): boolean => secrets.some((name) => isIn(text, String(values[name])))
  const made = scriptSchema.parse({
    ...script,
    parameters,
    steps: script.steps.map((step) => withoutEchoes(step, hasSecret)),
  })
  const texts = textsIn([made.start, made.steps])
  const shown = secrets.find((name) => texts.some((text) => isIn(text, String(values[name]))))
  if (shown === undefined) return made
  throw new EngineError(
    'invalid_request',
    `The value of "${shown}" is in other places of the recording. Choose another one.`,
  )
}

/** Returns the origin where a recording starts. Its host may have placeholders too. */
function originOf(start: string, values: Values): string {
  return (URL.parse(fillPlaceholders(start, values)) ?? new URL(start)).origin
}

/** Removes optional parts of a step that contain a secret, because a page may repeat typed values. */
function withoutEchoes(step: Step, hasSecret: (text: string) => boolean): Step {
  const { target, expects } = step
  const rest = (texts: readonly string[] | undefined) => texts?.filter((text) => !hasSecret(text))
  const withoutSecret = (text: string | undefined) => (text === undefined || hasSecret(text) ? undefined : text)
  const { label, text, before, after, alone, row } = target ?? {}
  return {
    ...step,
    ...(target && {
      target: {
        ...target,
        ...{
          label: withoutSecret(label),
          text: withoutSecret(text),
          before: withoutSecret(before),
          after: withoutSecret(after),
        },
        ...{ alone: withoutSecret(alone), row: rest(row)?.slice() },
      },
    }),
    expects: { ...expects, shows: some(rest(expects.shows)), controls: some(rest(expects.controls)) },
  }
}

const some = (texts: readonly string[] | undefined) => (texts && texts.length > 0 ? [...texts] : undefined)

function isIn(text: string, value: string): boolean {
  if (value.length < minHidden) return text === value
  return text.includes(value) || text.includes(encodeURIComponent(value))
}
