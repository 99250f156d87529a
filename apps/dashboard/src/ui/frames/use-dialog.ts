import { useNavigate, useSearch } from '@tanstack/react-router'

interface Dialog {
  /** The id of the thing it is open for; undefined while closed. */
  value: string | undefined
  open: (value: string) => void
  close: () => void
}

/**
 * The open dialog and its subject are in the page's address (`?edit=<uuid>`), so that Back, reload and links work.
 * The page's route must name the key in `validateSearch`.
 */
export function useDialog(name: string): Dialog {
  // This name alone: whatever else changes in the address is no reason to draw anew.
  const value = useSearch({ strict: false, select: (search: Record<string, unknown>) => search[name] })
  const navigate = useNavigate()
  return {
    value: typeof value === 'string' ? value : undefined,
    open: (next) => void navigate({ to: '.', search: (old) => ({ ...old, [name]: next }), resetScroll: false }),
    close: () => void navigate({ to: '.', search: (old) => ({ ...old, [name]: undefined }), replace: true, resetScroll: false }),
  }
}
