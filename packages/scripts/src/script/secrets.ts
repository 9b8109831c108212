// Secrets of a script: given with each run, filled in as whole values, and told in no record, error or script.
import { EngineError } from '@harvestman/ports'

import { textsIn } from './parameters.ts'
import { scriptSchema, type Script, type Step, type Values } from './schema.ts'

/** A shorter value stands in other words by chance: hiding it there would tell more than it hides. */
const leastHidden = 4

/** What hides the secrets of a run in a text of the page. Short ones are hidden where they are the whole text. */
export function hiderOf({ parameters }: Script, values: Values): (text: string) => string {
  const secrets = Object.entries(values)
    .flatMap(([name, value]) => (parameters[name]?.secret === true ? [value].flat().map((one) => [name, one]) : []))
    .toSorted(([, a = ''], [, b = '']) => b.length - a.length)
  return (text) => secrets.reduce((rest, [name = '', value = '']) => hidden(rest, value, `{{${name}}}`), text)
}

function hidden(text: string, value: string, by: string): string {
  if (value === '') return text
  if (value.length < leastHidden) return text.trim() === value ? by : text
  return text.replaceAll(value, () => by).replaceAll(encodeURIComponent(value), () => by)
}

/** The name of the secret that a step fills in. */
export function secretOf({ parameters }: Pick<Script, 'parameters'>, { value }: Step): string | undefined {
  const name = typeof value === 'string' ? /^\{\{([\w-]+)\}\}$/.exec(value)?.[1] : undefined
  return name !== undefined && parameters[name]?.secret === true ? name : undefined
}

/** The script with some of its parameters as secrets. One that is more than the whole value of fields is refused. */
export function withSecrets(script: Script, values: Values, secrets: readonly string[]): Script {
  const parameters = { ...script.parameters }
  for (const name of secrets) {
    const known = parameters[name]
    if (typeof values[name] !== 'string' || !known)
      throw new EngineError('invalid_request', `"${name.slice(0, 64)}" of "secrets" is not one of "parameters".`)
    parameters[name] = { ...known, secret: true, origin: known.origin ?? new URL(script.start).origin }
  }
  const isSaid = (text: string): boolean => secrets.some((name) => isIn(text, String(values[name])))
  const made = scriptSchema.parse({
    ...script,
    parameters,
    steps: script.steps.map((step) => withoutEchoes(step, isSaid)),
  })
  const texts = textsIn([made.start, made.steps])
  const shown = secrets.find((name) => texts.some((text) => isIn(text, String(values[name]))))
  if (shown === undefined) return made
  throw new EngineError(
    'invalid_request',
    `The value of "${shown}" is in other places of the recording. Choose another one.`,
  )
}

/** A page may repeat what it was given. What is only one of several ways, or of several outcomes, is left out then. */
function withoutEchoes(step: Step, isSaid: (text: string) => boolean): Step {
  const { target, expects } = step
  const rest = (texts: readonly string[] | undefined) => texts?.filter((text) => !isSaid(text))
  const kept = (text: string | undefined) => (text === undefined || isSaid(text) ? undefined : text)
  const { label, text, before, after, alone, row } = target ?? {}
  return {
    ...step,
    ...(target && {
      target: {
        ...target,
        ...{ label: kept(label), text: kept(text), before: kept(before), after: kept(after) },
        ...{ alone: kept(alone), row: rest(row)?.slice() },
      },
    }),
    expects: { ...expects, shows: some(rest(expects.shows)), controls: some(rest(expects.controls)) },
  }
}

const some = (texts: readonly string[] | undefined) => (texts && texts.length > 0 ? [...texts] : undefined)

function isIn(text: string, value: string): boolean {
  if (value.length < leastHidden) return text === value
  return text.includes(value) || text.includes(encodeURIComponent(value))
}
