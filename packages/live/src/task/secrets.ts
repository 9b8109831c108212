import { EngineError, type LiveAction } from '@harvestman/ports'
import type { TaskAction } from './actions.ts'

/** A text that is filled in for its placeholder, `{{name}}`, on one origin alone. No model and no record ever has it. */
export interface Secret {
  readonly name: string
  readonly value: string
  /** Origin such as `https://shop.example`. */
  readonly origin: string
}

const placeholder = /\{\{([\w-]{1,64})\}\}/

/** Puts the secret into a step that fills it in; other steps must not name one. */
export function withSecret(action: TaskAction, secrets: readonly Secret[]): TaskAction | LiveAction {
  const texts = Object.values(action).filter((value) => typeof value === 'string')
  const name = texts.map((value) => placeholder.exec(value)?.[1]).find((found) => found !== undefined)
  const secret = secrets.find((one) => one.name === name)
  if (!secret) return action
  const isWhole = action.type === 'fill' && action.text.trim() === `{{${secret.name}}}`
  if (!isWhole)
    throw new EngineError('action_failed', `{{${secret.name}}} can only be filled in, as the whole text of a field.`)
  return { ...action, text: secret.value, onlyOn: secret.origin }
}

/** Removes secrets from a text of the page, as fields show what was filled in. */
export function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  return secrets.reduce((rest, { name, value }) => (value === '' ? rest : rest.replaceAll(value, `{{${name}}}`)), text)
}
