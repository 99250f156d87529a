// Alone, because it is needed before all other code is there.

export const SESSION_KEY = 'session'

export function sessionToken(): string | null {
  return localStorage.getItem(SESSION_KEY)
}

/** The client's identity and program. */
export function callHeaders(): Record<string, string> {
  const token = sessionToken()
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'x-remnawave-client-type': 'browser',
    'x-causeway-dashboard': '1',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  }
}
