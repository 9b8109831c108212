const mostLetters = 3_000

/**
 * Escapes text for a message of Slack, in one line: `<!channel>` and `<https://…|label>` of a page are then text, and neither
 * call people nor make links.
 */
export function slackText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** Cuts escaped text to what a section may have, and not within an escape. */
export function cutText(text: string): string {
  return text.length <= mostLetters ? text : text.slice(0, mostLetters).replace(/&\w{0,3}$/, '')
}
