/**
 * Returns the source of a call of a page script. The script is an expression whose value is a function, as exported by the
 * generated `page-scripts.ts` of a package. Arguments are passed as JSON.
 */
export function pageCall(script: string, ...args: readonly unknown[]): string {
  return `(${script})(${args.map((value) => JSON.stringify(value) ?? 'undefined').join(',')})`
}
