/**
 * Converts JSON with comments and trailing commas to JSON. Removed characters become spaces, so that error positions
 * remain correct. Does not check that the result is valid JSON.
 */
export function withoutComments(text: string): string {
  const blank = (part: string): string => part.replaceAll(/[^\n]/g, ' ')
  const bare = text.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith('"') ? part : blank(part),
  )
  return bare.replaceAll(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[\]}])/g, (part) => (part === ',' ? ' ' : part))
}
