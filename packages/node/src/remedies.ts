/** How to configure each port with environment variables, by port name. */
export const remedies = {
  llm: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL and MODEL_NAME, or OLLAMA_BASE_URL.',
  search: 'Set SEARXNG_ENDPOINT, or HARVESTMAN_SEARCH_INDEX=on.',
  sandbox: 'Set HARVESTMAN_SANDBOX=auto.',
} as const
