import { json, refuse } from './requests.ts'

/** A limit of a server, as the view Status shows it. */
export interface Limit {
  /** The setting that changes it. */
  readonly setting: string
  /** The name of the setting in the environment. */
  readonly variable?: string | undefined
  /** Nothing when there is no limit. */
  readonly value?: number | undefined
  /** `bytes` and `ms` are shown in larger units. */
  readonly unit?: string | undefined
  readonly says: string
}

/** Answers the limits of the server to those who are logged in: they are the reason of what is refused. */
export const showLimits = (isIn: boolean, limits: () => readonly Limit[]): Response =>
  isIn ? json(200, { success: true, limits: limits() }) : refuse(401, 'Log in first.')
