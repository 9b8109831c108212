/**
 * Returns the source of a call of a script of a page. The script is an expression whose value is a function, as the
 * generated `page-scripts.ts` of a package exports them. Arguments are passed as JSON.
 */
export function pageCall(script: string, ...args: readonly unknown[]): string {
  return `(${script})(${args.map((value) => JSON.stringify(value) ?? 'undefined').join(',')})`
}
