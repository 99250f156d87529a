/** Fills `:name` segments and appends the query. The origin is the page's own. */
export function buildUrl(template: string, params: Record<string, unknown>, query: Record<string, unknown> = {}): string {
  const path = template.replace(/:([A-Za-z]\w*)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    // An empty value means "not given" on this wire; zero is a value (CALL-006, CALL-008).
    if (value === undefined || value === null || value === '') continue
    search.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`
}
