const maxTextLength = 3_000

/**
 * Escapes text for Slack and removes line breaks, so that page content such as `<!channel>` or `<https://…|label>` cannot
 * mention people or create links.
 */
export function slackText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/**
 * Truncates escaped text to 3,000 characters, the limit of a Slack section, without splitting an escape sequence. Shorter text
 * is unchanged.
 */
export function cutText(text: string): string {
  return text.length <= maxTextLength ? text : text.slice(0, maxTextLength).replace(/&\w{0,3}$/, '')
}
