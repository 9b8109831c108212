/** Languages of code for live browsers, with their labels. */
export const languages = { node: 'JavaScript', python: 'Python', bash: 'Bash' } as const
export type Language = keyof typeof languages
