"""The completions for bash that gen_manual writes. They need nothing but bash."""

# A shell takes "--option=value" for three words.
WORD = """  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
  if [[ $word == = ]]; then
    word=
  elif [[ $option == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
"""


def case(patterns, action):
    return f"    {' | '.join(patterns)}) {action} ;;\n"


def words(values):
    return f'COMPREPLY=($(compgen -W "{" ".join(values)}" -- "$word")); return'


ARCHITECTURES = '$("${COMP_WORDS[0]}" -code-ls 2>/dev/null) native all all-major'
FOLDERS = {"output-directory", "include-path", "system-include", "library-path", "keep-dir"}
FOLDER_ACTION = 'COMPREPLY=($(compgen -d -- "$word")); return'


def hwcc_action(long, kind, allowed):
    """What completes the option's argument; empty where it has none."""
    if allowed or kind == "Boolean":
        return words(allowed.split(",") if allowed else ["true", "false"])
    if long in ("gpu-architecture", "gpu-code"):
        return words([ARCHITECTURES])
    if long in FOLDERS:
        return FOLDER_ACTION
    return "" if kind == "Flag" else "return"


def of_hwcc(options):
    text = "# bash completion for hwcc\n_hwcc() {\n  COMPREPLY=()\n" + WORD + "  case $option in\n"
    actions = {}
    for _, long, short, kind, allowed, _ in options:
        action = hwcc_action(long, kind, allowed)
        if action:
            actions.setdefault(action, []).extend(dict.fromkeys(["--" + long, "-" + short]))
    for action, names in actions.items():
        text += case(names, action)
    text += "  esac\n  if [[ $word == -* ]]; then\n"
    names = [name for _, long, short, _, _, help in options if help is not None
             for name in dict.fromkeys(["--" + long, "-" + short])]
    text += f'    COMPREPLY=($(compgen -W "{" ".join(names)}" -- "$word"))\n  fi\n}}\n'
    return text + "complete -o bashdefault -o default -F _hwcc hwcc\n"


def value_action(placeholder, values):
    if values == ["devices"]:
        return words(["$(\"${COMP_WORDS[0]}\" devices 2>/dev/null | awk 'NR > 1 { print $1 }')"])
    if values:
        return words(values)
    return FOLDER_ACTION if placeholder == "FOLDER" else "return"


def of_command(name, options):
    """Its options, and where a program may follow nothing more once that is there."""
    actions = {}
    for pairs, values, _ in options:
        for option, placeholder in pairs:
            if placeholder:
                actions.setdefault(value_action(placeholder, values), []).append(option)
    text = f"    {name})\n      case $option in\n"
    for action, names in actions.items():
        text += "    " + case(names, action)
    names = " ".join(option for pairs, _, _ in options for option, _ in pairs)
    return text + f'      esac\n      options="{names}"\n      ;;\n'


def of_hostwarp(commands, options):
    options = dict(options, explore=options["explore"] + options["check"])
    with_value = sorted({option for each in options.values() for pairs, _, _ in each for option, value in pairs if value})
    text = "# bash completion for hostwarp\n_hostwarp() {\n  COMPREPLY=()\n" + WORD
    text += f"""  if [[ $COMP_CWORD == 1 ]]; then
    COMPREPLY=($(compgen -W "{" ".join(commands)} --help" -- "$word"))
    return
  fi
  # Behind the program everything is its own.
  local i
  for ((i = 2; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i]}} in
      {" | ".join(with_value)})
        i=$((i + 1))
        [[ ${{COMP_WORDS[i]}} == = ]] && i=$((i + 1))
        ;;
      -*) ;;
      *) return ;;
    esac
  done
  local options=
  case ${{COMP_WORDS[1]}} in
"""
    for name in commands:
        if options[name]:
            text += of_command(name, options[name])
    text += f"""    help) options="{" ".join(commands)}" ;;
  esac
  if [[ $word == -* || ${{COMP_WORDS[1]}} == help ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  fi
}}
complete -o bashdefault -o default -F _hostwarp hostwarp
"""
    return text
