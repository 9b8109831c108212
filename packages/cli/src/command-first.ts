/** Returns the arguments with the command first: without one it is `serve`, and a leading `--config <file>` moves behind it. */
export function withCommandFirst(args: readonly string[]): readonly string[] {
  const isOneWord = args[0]?.startsWith('--config=') === true
  const length = isOneWord ? 1 : args[0] === '--config' ? 2 : 0
  const [command = 'serve', ...rest] = args.slice(length)
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length
  return [command, ...rest.toSpliced(end, 0, ...args.slice(0, length))]
}
