/** The languages of code for a live browser, and what people call them. */
export const languages = { node: 'JavaScript', python: 'Python', bash: 'Bash' } as const
export type Language = keyof typeof languages

/** The outcome of code that was run in a live browser. */
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
