/** Languages of code for live browsers, with their labels. */
export const languages = { node: 'JavaScript', python: 'Python', bash: 'Bash' } as const
export type Language = keyof typeof languages

/** Result of code that ran in a live browser. */
export interface Ran {
  readonly success: boolean
  readonly stdout: string
  readonly result: string | null
  readonly stderr: string
  readonly exitCode: number
  readonly killed: boolean
  readonly truncated?: boolean
  readonly error?: string
}
