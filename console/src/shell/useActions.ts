import { useNavigate } from '@tanstack/react-router';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { w } from '../words/en.ts';
import { signOut } from './signOut.ts';
import { chooseTheme, THEMES } from './theme.ts';

/** Something that the palette does. */
interface Action {
  readonly name: string;
  readonly act: () => unknown;
}

/** Returns what the person may do from anywhere. @param onOpen opens a dialog above the page */
export function useActions(onOpen: (dialog: 'shortcuts' | 'new workspace') => void): readonly Action[] {
  const { workspace, workspaces } = useWorkspace();
  const [mayWrite, mayAdmin] = [useMay('write'), useMay('admin')];
  const go = useNavigate();
  const params = { workspace: workspace.id };
  return [
    ...(mayWrite
      ? [
          { name: w.palette.write, act: () => go({ to: '/w/$workspace/notes', params, search: { write: true } }) },
          { name: w.palette.upload, act: () => go({ to: '/w/$workspace/imports', params }) },
        ]
      : []),
    ...(mayAdmin ? [{ name: w.newWorkspace, act: () => onOpen('new workspace') }] : []),
    ...workspaces
      .filter(({ id }) => id !== workspace.id)
      .map(({ id, name }) => ({
        name: w.palette.workspace(name),
        act: () => go({ to: '/w/$workspace/attention', params: { workspace: id } }),
      })),
    ...THEMES.map(theme => ({ name: w.palette.theme(w.theme[theme]), act: () => chooseTheme(theme) })),
    { name: w.shortcuts.title, act: () => onOpen('shortcuts') },
    { name: w.signOut, act: signOut },
  ];
}
